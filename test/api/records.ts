/** What tests of records do again and again. */
import { expect } from 'vitest';
import { sql, statement, identifier } from '../../src/postgres/sql.ts';
import { uniqueIndexName } from '../../src/model/names.ts';
import type { Client, Reply, TestKith, TestOrganization } from '../support/kith.ts';

export type Query = Readonly<Record<string, unknown>>;

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;

/** Applies a manifest that must be right. */
export async function apply(client: Client, manifest: object): Promise<void> {
  const reply = await client.post('/manifest', manifest);
  expect(reply.status, reply.text).toBe(200);
}

/** Creates a record that must go in, and gives it as it was answered. */
export async function create(client: Client, object: string, values: object): Promise<Reply['json']> {
  const reply = await client.post(`/records/${object}`, values);
  expect(reply.json, reply.text).toMatchObject({ action: 'created' });
  return reply.json.record;
}

/** Creates records in one request; each must go in. */
export async function createAll(client: Client, object: string, records: readonly object[]): Promise<Reply['json'][]> {
  const reply = await client.post(`/records/${object}/batch/create`, { records });
  expect(reply.json.errors, reply.text).toEqual([]);
  return reply.json.records;
}

/** The records of one page that must be there. */
export async function list(client: Client, object: string, query: Query = {}): Promise<Reply['json'][]> {
  const reply = await client.get(`/records/${object}`, { limit: 100, ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data;
}

/** All records of a list, page by page; every page must tell the same total. */
export async function walk(
  client: Client,
  object: string,
  query: Query,
): Promise<{ total: number; records: Reply['json'][] }> {
  const records = [];
  const totals = new Set<number>();
  let cursor: string | undefined;
  do {
    const reply = await client.get(`/records/${object}`, { ...query, cursor });
    expect(reply.status, reply.text).toBe(200);
    records.push(...reply.json.data);
    totals.add(reply.json.total);
    cursor = reply.json.nextCursor;
  } while (cursor !== undefined);
  expect(totals.size).toBe(1);
  return { total: Math.max(...totals), records };
}

/** To compare records whatever their order. */
export function sortedIds(records: readonly { readonly id: string }[]): string[] {
  return records.map((record) => record.id).toSorted();
}

/** That a request was refused, how, and with nothing but the flat body. */
export function expectError(reply: Reply, code: string, status = 400): void {
  expect(reply.json?.code, reply.text).toBe(code);
  expect(reply.status).toBe(status);
  const known = ['code', 'message', 'field_errors', 'available_values'];
  expect(Object.keys(reply.json).filter((key) => !known.includes(key))).toEqual([]);
  expect(reply.json.message).not.toBe('');
}

/** The fields that a VALIDATION_ERROR names, in order. */
export function fieldsIn(reply: Reply): string[] {
  return (reply.json.field_errors ?? []).map((error: { field: string }) => error.field);
}

/** Makes a field of a built-in object unique, as a changed model would. */
export async function makeUnique(
  kith: TestKith,
  organization: TestOrganization,
  object: string,
  field: string,
): Promise<void> {
  const run = (query: Parameters<typeof statement>[0]) => kith.database.database.run(organization.id, statement(query));
  const table = (name: string) => identifier(organization.schema, name);
  const { rows } = await run(sql`update ${table('_fields')} set definition = definition || '{"isUnique":true}'
    where name = ${field} and object_id = (select id from ${table('_objects')} where name = ${object}) returning id`);
  const index = identifier(uniqueIndexName(rows[0]?.[0] ?? ''));
  const column = identifier(field);
  await run(
    sql`create unique index ${index} on ${table(object)} (left(${column}, 250), md5(${column})) where deleted_at is null`,
  );
  await run(sql`update ${table('_organization')} set model_version = model_version + 1`);
}
