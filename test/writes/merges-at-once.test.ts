/** Merges, unmerges, updates and deletes of the same few records, by several at once: nothing fails, and all of it fits together. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAll } from '../api/records.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { expectHistory, expectState, storageOf, type Storage } from './invariants.ts';
import { sql } from '../../src/postgres/sql.ts';

const deep = process.env['KITH_DEEP'] === '1';
const writers = 6;
const writes = deep ? 400 : 40;

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let storage: Storage;
const companies: string[] = [];
const contacts: string[] = [];
const deals: string[] = [];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  storage = storageOf(kith.database.database, organization.schema);
  const made = async (object: string, values: readonly object[]) =>
    (await createAll(admin, object, values)).map(({ id }) => String(id));
  const eight = Array.from({ length: 8 }, (_, at) => at);
  companies.push(
    ...(await made(
      'companies',
      eight.map((at) => ({ name: `Company ${at}`, employees: at })),
    )),
  );
  contacts.push(
    ...(await made(
      'contacts',
      eight.map((at) => ({ first_name: `${at}`, emails: `${at}@x.test`, company_id: companies[at] })),
    )),
  );
  deals.push(
    ...(await made(
      'opportunities',
      eight.map((at) => ({
        name: `Deal ${at}`,
        company_id: companies[at],
        contacts: [contacts[at], contacts[(at + 1) % 8]],
      })),
    )),
  );
});
afterAll(() => kith.stop());

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;

const kinds: readonly (() => Promise<Reply>)[] = [
  () => merge('companies', companies),
  () => merge('contacts', contacts),
  () => merge('opportunities', deals),
  () => unmerge('companies', companies),
  () => unmerge('contacts', contacts),
  () => unmerge('opportunities', deals),
  () => admin.put(`/records/contacts/${anyOf(contacts)}`, { company_id: anyOf(companies), job_title: 'x' }),
  () => admin.put(`/records/companies/${anyOf(companies)}`, { employees: 7 }),
  () =>
    admin.put(`/records/opportunities/${anyOf(deals)}`, { contacts: [anyOf(contacts)], company_id: anyOf(companies) }),
  () => admin.delete(`/records/contacts/${anyOf(contacts)}`),
  () => admin.post(`/records/contacts/${anyOf(contacts)}/restore`),
  () => admin.post('/records/contacts', { first_name: 'New', company_id: anyOf(companies) }),
  () => admin.post('/tasks', { title: 'Call', linked_entities: [{ type: 'contacts', id: anyOf(contacts) }] }),
];

function merge(object_name: string, ids: readonly string[]): Promise<Reply> {
  const [master_id, ...duplicate_ids] = new Set([anyOf(ids), anyOf(ids), anyOf(ids)]);
  return admin.post('/duplicates', {
    action: 'merge',
    object_name,
    master_id,
    duplicate_ids,
    merge_strategy: 'fill_blanks',
  });
}

function unmerge(object_name: string, ids: readonly string[]): Promise<Reply> {
  return admin.post('/duplicates', { action: 'unmerge', object_name, duplicate_ids: [anyOf(ids)] });
}

it(
  'nobody is told of a failure, and nothing leads to what is merged',
  { timeout: deep ? 600_000 : 120_000 },
  async () => {
    const codes = new Map<string, number>();
    const write = async () => {
      for (let at = 0; at < writes; at++) {
        const { status, json, text } = await anyOf(kinds)();
        expect(status, text).toBeLessThan(500);
        const code = json?.code ?? 'ok';
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    const refusals = [
      'MERGE_FAILED',
      'RECORD_NOT_FOUND',
      'VALIDATION_ERROR',
      'INVALID_OPERATION',
      'MISSING_REQUIRED_FIELD',
    ];
    expect([...codes.keys()].filter((code) => code !== 'ok' && !refusals.includes(code))).toEqual([]);
    expect(codes.get('ok')).toBeGreaterThan(writers);

    const merged = sql`(select m.record_id from ${storage.table('_merges')} m)`;
    for (const table of ['contacts', 'opportunities'])
      expect(
        await storage.rows(
          sql`select from ${storage.table(table)} where company_id in ${merged} and id not in ${merged}`,
        ),
      ).toEqual([]);
    const standing = await storage.rows(sql`select from ${storage.table('_merges')} m
    join ${storage.table('contacts')} c on c.id = m.record_id where c.deleted_at is null`);
    expect(standing).toEqual([]);
    const objects = ['companies', 'contacts', 'opportunities'];
    await expectState(storage, objects);
    for (const name of objects) await expectHistory(storage, name);
  },
);
