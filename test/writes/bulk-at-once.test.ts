/** Bulk changes, updates and deletes of the same 200 records, all at once. [spec: Bulk] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { createAll } from '../api/records.ts';
import { startKith, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { chainOf, expectHistory, expectState, storageOf } from './invariants.ts';

let kith: TestKith;
let organization: TestOrganization;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
});
afterAll(() => kith.stop());

/** Sends again what found all connections busy, as its answer says: nothing was done then. */
async function untilFree(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 503) return reply;
  }
}

it('BULK-09, BULK-10: none waits for ever, no write is lost', async () => {
  const { admin } = organization;
  const storage = storageOf(kith.database.database, organization.schema);
  const made = await createAll(
    admin,
    'contacts',
    Array.from({ length: 200 }, (_, at) => ({ last_name: `P ${at}` })),
  );
  const ids = made.map(({ id }: { id: string }) => id);
  const deleted = ids.filter((_, at) => at % 10 === 0);
  const alone = ids.filter((_, at) => at % 10 === 5);
  const set = (value: string, record_ids: readonly string[]) =>
    untilFree(() =>
      admin.post('/bulk', {
        action: 'update_field',
        object_name: 'contacts',
        field_name: 'job_title',
        field_value: value,
        record_ids,
      }),
    );
  const rounds = Array.from({ length: 5 }, (_, at) => `${at}`);
  const [bulks, updates, deletes] = await Promise.all([
    Promise.all(rounds.flatMap((round) => [set(`a ${round}`, ids), set(`b ${round}`, ids.toReversed())])),
    Promise.all(
      alone.map((id, at) => untilFree(() => admin.put(`/records/contacts/${id}`, { first_name: `alone ${at}` }))),
    ),
    Promise.all(deleted.map((id) => untilFree(() => admin.delete(`/records/contacts/${id}`)))),
  ]);
  expect([...updates, ...deletes].map(({ status, text }) => (status === 200 ? 'ok' : text))).toEqual(
    Array.from({ length: updates.length + deletes.length }, () => 'ok'),
  );
  for (const { json, text } of bulks) expect(json.updated + json.failed, text).toBe(200);
  const gone = new Set(deleted);
  for (const id of ids) {
    const titles = await chainOf(storage, 'contacts', 'job_title', id);
    const expected = rounds.flatMap((round) => [`a ${round}`, `b ${round}`]);
    if (!gone.has(id)) expect(new Set(titles)).toEqual(new Set([null, ...expected]));
  }
  const { json } = await admin.get('/records/contacts', {
    limit: 100,
    filters: { type: 'AND', conditions: [{ field: 'first_name', operator: 'starts_with', value: 'alone' }] },
  });
  expect(json.total).toBe(alone.length);
  await expectState(storage, ['contacts']);
  await expectHistory(storage, 'contacts');
  const [row] = await storage.rows(sql`select count(*) from ${storage.table('contacts')} where deleted_at is null`);
  expect(row?.[0]).toBe('180');
});
