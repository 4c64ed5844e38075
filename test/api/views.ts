/** What the tests of views have in common: deals, people who see all of them, less, or none, and a view with everything. */
import { expect } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { createAll } from './records.ts';

export const everything = { view: 'all', create: true, update: 'all', delete: 'all' };
export const deals = (fields: readonly object[] = []) => ({
  objects: [
    {
      name: 'deals',
      fields: [
        { name: 'name', type: 'TEXT' },
        {
          name: 'stage',
          type: 'SELECT',
          options: [
            { value: 'open', label: 'Open' },
            { value: 'won', label: 'Won' },
          ],
        },
        { name: 'worth', type: 'NUMBER' },
        { name: 'remark', type: 'LONG_TEXT' },
        { name: 'company', type: 'RELATION', relationConfig: { targetObjectName: 'companies' } },
        ...fields,
      ],
    },
  ],
});

export const destroying = '?allow_destroy=true';

export const condition = (field: string, operator: string, value?: unknown) => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});
export const any = (...conditions: object[]) => ({ type: 'OR', conditions });
export const all = (...conditions: object[]) => ({ type: 'AND', conditions });

export const rich = {
  object_name: 'deals',
  name: 'Pipeline',
  layout: 'board',
  columns: [{ field: 'name', width: 240 }, { field: 'worth' }, { field: 'company.name', width: 120 }],
  filters: all(
    condition('stage', 'in', ['open', 'won']),
    any(condition('worth', 'greater_than', 5), all(condition('name', 'is_not_empty'), condition('company', 'is_null'))),
  ),
  sort: [
    { field: 'worth', direction: 'desc' },
    { field: 'company.name', direction: 'asc' },
  ],
  search: 'pump',
  group_by: 'stage',
  totals: 'worth',
};

export interface Views {
  readonly kith: TestKith;
  readonly organization: TestOrganization;
  readonly ada: Client;
  readonly ben: Client;
  /** May not see what deals are worth, nor companies. */
  readonly clerk: Client;
  /** May not see deals. */
  readonly guest: Client;
}

/** A service with two deals. */
export async function startViews(): Promise<Views> {
  const kith = await startKith();
  const organization = await kith.organization();
  const ada = organization.admin;
  await applied(ada, {
    ...deals(),
    roles: [
      {
        name: 'Clerk',
        permissions: {
          '*': everything,
          companies: { view: 'none' },
          deals: { ...everything, fields: { worth: 'none' } },
        },
      },
      { name: 'Guest', permissions: { '*': everything, deals: { view: 'none', create: false } } },
    ],
  });
  const ben = await organization.user('Member');
  const clerk = await organization.user('Clerk');
  const guest = await organization.user('Guest');
  await createAll(ada, 'deals', [
    { name: 'a', stage: 'open', worth: 10 },
    { name: 'b', stage: 'won', worth: 20 },
  ]);
  return { kith, organization, ada, ben, clerk, guest };
}

/** Makes a view that must go in, of deals unless told. */
export async function make(given: object, client: Client): Promise<Reply['json']> {
  const reply = await client.post('/views', { object_name: 'deals', name: 'View', ...given });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** A view that must be there. */
export async function seen(client: Client, id: string): Promise<Reply['json']> {
  const reply = await client.get(`/views/${id}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** Deletes what the clients have made: each test has the views that it makes. */
export async function clearViews(clients: readonly Client[]): Promise<void> {
  for (const client of clients)
    for (const { id } of (await client.get('/views', { limit: 100 })).json.data) await client.delete(`/views/${id}`);
}
