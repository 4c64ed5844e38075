/** What people ask an agent to do in the demo, and what is there afterwards. */
import { expect } from 'vitest';
import type { Client } from '../support/kith.ts';
import type { Player, Told } from './player.ts';

/** Users of the demo, by their given names. */
export type Person = 'ada' | 'ben' | 'clara' | 'diego' | 'hana';

export interface Task {
  /** As a person says it. */
  readonly words: string;
  readonly as: Person;
  /** Does it. What it returns is what the person is told. */
  play(agent: Player): Promise<Told>;
  /** Looks at the end, by REST, as that person or as an admin. */
  ends(told: Told, mine: Client, admin: Client): Promise<void>;
}

export const and = (...conditions: readonly (readonly [field: string, operator: string, value?: unknown])[]) => ({
  type: 'AND',
  conditions: conditions.map(([field, operator, value]) => ({
    field,
    operator,
    ...(value !== undefined && { value }),
  })),
});

/** The one record of that object in which the words are. */
export async function theOne(agent: Player, object_name: string, search: string, fields: string[]): Promise<Told> {
  const { data } = await agent.call('crm_find_records', { object_name, search, fields, limit: 2 });
  expect(data).toHaveLength(1);
  return data[0];
}

/** The id of a step of the object's pipeline. */
export async function stepCalled(agent: Player, name: string): Promise<string> {
  const { pipelines } = await agent.call('crm_get_schema', { action: 'pipelines' });
  return pipelines.flatMap(({ steps }: Told) => steps).find((step: Told) => step.name === name).id;
}

export const userCalled = async (agent: Player, search: string): Promise<string> =>
  (await agent.call('crm_get_schema', { action: 'users', search })).data[0].id;

/** A record as an admin sees it. */
export async function recordOf(admin: Client, object: string, id: string): Promise<Told> {
  return (await admin.get(`/records/${object}/${id}`)).json.record;
}

/** The records that match, as the client sees them. */
export async function recordsOf(client: Client, object: string, filters: object, query: object = {}): Promise<Told> {
  return (await client.get(`/records/${object}`, { filters, ...query })).json;
}

export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
