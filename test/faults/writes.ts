/** Writes of every kind, each of which must be there as a whole or not at all, whenever it is broken off. */
import { expect } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { expectHistory, expectState, type Storage } from '../writes/invariants.ts';

export type Send = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; json: Record<string, unknown> } | undefined>;

export interface FaultyWrite {
  readonly name: string;
  /** How many history rows the whole of it leaves. */
  readonly records: number;
  /** Makes what the write needs, and gives the request. */
  prepare(send: Send): Promise<readonly [method: string, path: string, body?: object]>;
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ first_name: `Row ${index}` }));

async function made(send: Send, object: string, values: object): Promise<string> {
  const reply = await send('POST', `/api/v1/records/${object}`, values);
  expect(reply?.status).toBe(200);
  return String(reply?.json['id']);
}

export const faultyWrites: readonly FaultyWrite[] = [
  {
    name: 'create',
    records: 1,
    prepare: () => Promise.resolve(['POST', '/api/v1/records/contacts', { first_name: 'One' }]),
  },
  {
    name: 'import',
    records: 1_200,
    prepare: () => Promise.resolve(['POST', '/api/v1/import/contacts', { records: rows(1_200) }]),
  },
  {
    name: 'batch',
    records: 50,
    prepare: () => Promise.resolve(['POST', '/api/v1/records/contacts/batch/create', { records: rows(50) }]),
  },
  {
    name: 'trash',
    records: 1,
    prepare: async (send) => ['DELETE', `/api/v1/records/contacts/${await made(send, 'contacts', {})}`],
  },
  {
    name: 'links',
    records: 1,
    async prepare(send) {
      const [one, two] = [await made(send, 'contacts', {}), await made(send, 'contacts', {})];
      const id = await made(send, 'opportunities', { name: 'Deal', contacts: [one] });
      return ['PUT', `/api/v1/records/opportunities/${id}`, { contacts: [two], name: 'Renamed' }];
    },
  },
];

export async function historyCount(storage: Storage): Promise<number> {
  const [row] = await storage.rows(sql`select count(*) from ${storage.table('_history')}`);
  return Number(row?.[0]);
}

/** All of the write or nothing, and all of it when that was acknowledged. */
export async function expectWhole(
  storage: Storage,
  before: number,
  write: FaultyWrite,
  acknowledged: boolean,
): Promise<void> {
  const left = (await historyCount(storage)) - before;
  expect(acknowledged ? [write.records] : [0, write.records], `${write.name}: records that were written`).toContain(
    left,
  );
  const objects = ['companies', 'contacts', 'opportunities'];
  await expectState(storage, objects);
  for (const object of objects) await expectHistory(storage, object);
}
