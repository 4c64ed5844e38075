/** A request has one deadline for all that it does. Here it is two seconds. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { report } from '../../src/http/errors.ts';
import { startTime } from '../../src/operations/door/request-time.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

vi.mock(import('../../src/postgres/database.ts'), async (actual) => {
  const original = await actual();
  return {
    ...original,
    statementLimits: {
      global: 2_000 as 10_000,
      expensive: 2_000 as 60_000,
      long: 2_000 as 300_000,
      bulk: 2_000 as 300_000,
    },
  };
});

const message = 'The request took too long and was broken off; ask for less or try again';
let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
const lists: string[] = [];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  for (let at = 0; at < 20; at++) {
    const { json } = await admin.post('/records/contacts', { create_list_name: `list ${at}` });
    lists.push(json.created_list.id);
  }
});
afterAll(() => kith.stop());

const count = async (name: string) => {
  const query = sql`select count(*) from ${identifier(organization.schema, name)}`;
  return Number((await kith.database.database.run('test', statement(query))).rows[0]?.[0]);
};

/** Each statement that inserts into the table takes so long. */
async function slowDown(table: string, seconds: number): Promise<void> {
  const name = `"${organization.schema}".slowly_${table}`;
  await kith.database.database.transaction('test', (tx) =>
    tx.script(`create function ${name}() returns trigger language plpgsql as
      $$ begin perform pg_sleep(${seconds}); return null; end $$;
      create trigger slowly before insert on "${organization.schema}"."${table}" for each statement
      execute function ${name}()`),
  );
}

it('what is left of many small steps is told as not done', async () => {
  const entries = await count('_list_entries');
  await slowDown('_list_entries', 0.3);
  const since = performance.now();
  const reply = await admin.post('/records/contacts', { first_name: 'Ada', add_to_list_ids: lists });
  const took = performance.now() - since;
  expect(reply.status, reply.text).toBe(200);
  const done = reply.json.lists.filter((list: { added: number }) => list.added === 1);
  expect(done.length).toBeGreaterThan(0);
  expect(done.length).toBeLessThan(7);
  expect(reply.json.lists.slice(done.length)).toEqual(
    lists
      .slice(done.length)
      .map((list_id) => ({ list_id, added: 0, skipped_already_in_list: 0, failed: 1, error: message })),
  );
  expect(await count('_list_entries')).toBe(entries + done.length);
  expect(took).toBeGreaterThan(1_900);
  expect(took).toBeLessThan(6_000);
});

it.each(['plain', 'key', 'dry run'])('a write that is whole is 503, with nothing written: %s', async (writeMode) => {
  if (writeMode === 'plain') await slowDown('contacts', 1.5);
  const before = await count('contacts');
  const records = Array.from({ length: 2_500 }, () => ({ first_name: 'x' }));
  const headers: Record<string, string> = writeMode === 'key' ? { 'idempotency-key': 'slow' } : {};
  const since = performance.now();
  const reply = await admin.post(
    `/import/contacts${writeMode === 'dry run' ? '?dry_run=true' : ''}`,
    { records },
    headers,
  );
  expect(reply.status).toBe(503);
  expect(reply.json).toMatchObject({ code: 'INTERNAL_ERROR', message });
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(performance.now() - since).toBeLessThan(6_000);
  expect(await count('contacts')).toBe(before);
});

it('the log tells of a request whose time was over', async () => {
  const { signal } = startTime(20, undefined);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  const warned: unknown[] = [];
  const log = { ...silentLog, debug: silentLog.info, warn: (...told: unknown[]) => void warned.push(told) };
  report(log, signal.reason, { id: 'r1', method: 'GET', routeOptions: { url: '/api/v1/meetings' } } as FastifyRequest);
  expect(warned).toEqual([
    [{ requestId: 'r1', method: 'GET', route: '/api/v1/meetings', reason: '20 ms were over' }, message],
  ]);
});
