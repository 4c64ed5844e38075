/** Clients that follow `GET /events`. */
import { expect } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import type { Client, Reply, TestKith } from '../support/kith.ts';
import type { Query } from './records.ts';

/** Returns once the feed goes up to all that was written before, whoever else is at work in the database. */
export async function settled({ database: { database } }: Pick<TestKith, 'database'>): Promise<void> {
  const ask = async (query: ReturnType<typeof sql>) => (await database.run('settled', statement(query))).rows[0]?.[0];
  const mark = await ask(sql`select pg_current_xact_id()::text`);
  const isBehind = () => ask(sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${mark ?? '0'}::xid8`);
  await expect.poll(isBehind, { timeout: 60_000, interval: 20 }).toBe('t');
}

/** All events behind `after`, page by page, and the position behind them. */
export async function follow(
  client: Client,
  after?: string,
  query: Query = {},
): Promise<{ events: Reply['json'][]; position: string }> {
  const events: Reply['json'][] = [];
  for (let position = after; ;) {
    const { status, json, text } = await client.get('/events', { after: position, ...query });
    expect(status, text).toBe(200);
    events.push(...json.events);
    ({ position } = json);
    if (!json.has_more) return { events, position: json.position };
  }
}

/** The present position. */
export async function positionNow(client: Client): Promise<string> {
  const { json } = await client.get('/events', { after: 'now' });
  expect(json).toEqual({ events: [], position: expect.any(String), has_more: false });
  return json.position;
}

/** As texts, which say what tests are mostly about. */
export const told = (events: readonly Reply['json'][]): string[] =>
  events.map(({ type, object_name: object, record, record_id: id, fields = [] }) => {
    const what = record?.name ?? record?.first_name ?? record?.title ?? id;
    return [type, object ?? 'all', ...(what === undefined ? [] : [what]), ...fields].join(' ');
  });

/** A copy of what a client sees of some objects, kept by the feed. */
export class Mirror {
  readonly records = new Map<string, Map<string, Reply['json']>>();
  readonly client: Client;
  position: string | undefined;
  resets = 0;
  /** Ids of all records that it was told of, whatever was said. */
  readonly told = new Set<string>();

  constructor(client: Client, objects: readonly string[], position?: string) {
    this.client = client;
    this.position = position;
    for (const object of objects) this.records.set(object, new Map());
  }

  /** Everything in lists, by object and id. */
  async lists(): Promise<Map<string, Map<string, Reply['json']>>> {
    const lists = new Map<string, Map<string, Reply['json']>>();
    for (const object of this.records.keys()) lists.set(object, await this.#list(object));
    return lists;
  }

  async #list(object: string): Promise<Map<string, Reply['json']>> {
    const path = object === 'tasks' || object === 'notes' ? `/${object}` : `/records/${object}`;
    const records = new Map<string, Reply['json']>();
    for (let cursor: string | undefined; ;) {
      const { json, text } = await this.client.get(path, { limit: 100, cursor });
      if (json?.data === undefined) throw new Error(text);
      for (const record of json.data) records.set(record.id, record);
      cursor = json.nextCursor;
      if (cursor === undefined) return records;
    }
  }

  /** Takes what the feed has. */
  async follow(limit = 100): Promise<void> {
    for (;;) {
      const query = { after: this.position, limit, object: [...this.records.keys()].join(',') };
      const { status, json, text } = await this.client.get('/events', query);
      if (status !== 200) throw new Error(text);
      for (const event of json.events) await this.#take(event);
      this.position = json.position;
      if (!json.has_more) return;
    }
  }

  async #take({ type, object_name: object, record_id: id, record }: Reply['json']): Promise<void> {
    if (id !== undefined) this.told.add(id);
    if (type === 'reset') {
      this.resets++;
      for (const name of object === null ? this.records.keys() : [object])
        this.records.set(name, await this.#list(name));
    } else if (record) this.records.get(object)?.set(id, record);
    else this.records.get(object)?.delete(id);
  }
}
