/** Text that breaks careless programs. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import type { Reply, TestKith, TestOrganization } from './kith.ts';

const file = fileURLToPath(new URL('../../../shared/data/strings/blns.json', import.meta.url));

/** The Big List of Naughty Strings; undefined where the file is not there. */
export function naughtyStrings(): readonly string[] | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : undefined;
}

/** Names that no object, field or id has. All of them are legal text. */
export const hostileNames: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  "'; drop table contacts; --",
  '"; select 1; --',
  '$1',
  '\\',
  '%',
  '_',
  '%s%n',
  '../../etc/passwd',
  '*',
  'first_name; delete',
  'first_name--',
  'FIRST_NAME',
  'first_name ',
  'search_text',
  'search_parts',
  'deleted_at',
  'ctid',
  'xmin',
  'pipeline__currency',
  'company_id.company_id.company_id',
  'company_id.__proto__',
  'company_id.',
  '.name',
  'first_name,last_name',
  '\u{1F600}',
  '\u202Eright-to-left',
  '\uFEFF',
  '\u0001\u001F\u007F',
  'a\nb\r\nc',
  'ﬁ İ ı ſ ß',
  '00000000-0000-0000-0000-000000000000',
  'null',
  'NaN',
  'x'.repeat(10_000),
];

const refusals = new Set([
  'UNAUTHORIZED',
  'PERMISSION_DENIED',
  'RECORD_NOT_FOUND',
  'MISSING_REQUIRED_FIELD',
  'VALIDATION_ERROR',
  'INVALID_OBJECT',
  'INVALID_FIELD',
  'INVALID_OPERATION',
  'NOT_SUPPORTED',
  'NOT_FOUND',
]);

/** A flat refusal with a known code, and no flood of text. */
export function expectRefusal(reply: Reply, what: unknown): void {
  const told = JSON.stringify(what)?.slice(0, 200);
  expect([400, 401, 404, 405], `${told}: ${reply.text.slice(0, 300)}`).toContain(reply.status);
  expect([...refusals], told).toContain(reply.json?.code);
  const allowed = ['code', 'message', 'field_errors', 'available_values', ...(reply.status === 401 ? ['error'] : [])];
  expect(
    Object.keys(reply.json).filter((key) => !allowed.includes(key)),
    told,
  ).toEqual([]);
  expect(typeof reply.json.message).toBe('string');
  expect(reply.text.length, told).toBeLessThan(20_000);
}

/** Answered faithfully or refused clearly, but answered. */
export function expectAnswer(reply: Reply, what: unknown): void {
  if (reply.status !== 200) expectRefusal(reply, what);
  else expect(reply.json).toBeTypeOf('object');
}

/** Everything that a refused request could have left. */
export async function traces(kith: TestKith, { schema }: TestOrganization): Promise<readonly (string | null)[]> {
  const table = (name: string) => identifier(schema, name);
  const query = sql`select (select count(*) from ${table('contacts')}), (select count(*) from ${table('companies')}),
    (select count(*) from ${table('opportunities')}), (select count(*) from ${table('_history')}),
    (select count(*) from ${table('_lists')}), (select count(*) from ${table('_list_entries')}),
    (select sum(version) from ${table('_state')}), (select count(*) from pg_namespace)`;
  return (await kith.database.database.run('test', statement(query))).rows[0] ?? [];
}

/** A few at a time. */
export async function all<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 8) await Promise.all(items.slice(at, at + 8).map(each));
}

/** A filter of one condition, of whatever. */
export const condition = (field: unknown, operator: unknown, value?: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});

/** A request with a body that is said to be JSON. */
export function json(
  method: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): RequestInit {
  return { method, body, headers: { 'content-type': 'application/json', ...headers } };
}
