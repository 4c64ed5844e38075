/** [decisions: Writing] The header Change-Set: which writes belong together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { setOf, together } from './change-sets.ts';
import { expectError } from './records.ts';

let kith: TestKith;
let admin: Client;
let member: Client;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
});
afterAll(() => kith.stop());

describe('the header Change-Set', () => {
  it('is named in the answer of every write, and is one of its own without one', async () => {
    const first = await admin.post('/records/contacts', { first_name: 'A' });
    const second = await admin.put(`/records/contacts/${first.json.id}`, { first_name: 'B' });
    expect(new Set([setOf(first), setOf(second), '']).size).toBe(3);
    const history = (await admin.get(`/records/contacts/${first.json.id}/history`)).json.data;
    expect(history.map(({ change_set }: { change_set: string }) => change_set)).toEqual([setOf(second), setOf(first)]);
  });

  it('is not there where nothing is written: reads and dry runs', async () => {
    expect((await admin.get('/records/contacts')).headers.get('change-set')).toBeNull();
    const trial = await admin.post('/records/contacts?dry_run=true', { first_name: 'A' });
    expect([trial.status, trial.headers.get('change-set')]).toEqual([200, null]);
    const { json: manifest } = await admin.get('/manifest');
    const plan = await admin.post('/manifest?dry_run=true', manifest);
    expect([plan.status, plan.headers.get('change-set')]).toEqual([200, null]);
  });

  it('is not there where an import is previewed', async () => {
    const analyzed = await admin.post('/import-jobs', { object_name: 'contacts', data: [{ last_name: 'Shown' }] });
    const path = `/import-jobs/${analyzed.json.import_job_id}`;
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (const replayed of [null, 'true']) {
      const { headers, json } = await admin.post(`${path}/preview`, {}, key);
      expect([json.created, headers.get('idempotent-replayed'), headers.get('change-set')]).toEqual([
        1,
        replayed,
        null,
      ]);
    }
    const executed = await admin.post(`${path}/execute`, {});
    expect(setOf(executed)).toBe(executed.json.change_set);
  });

  it('names for a repeated request the change set in which the first one wrote', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await admin.post('/records/contacts', { first_name: 'Once' }, key);
    const again = await admin.post('/records/contacts', { first_name: 'Once' }, key);
    expect([again.headers.get('idempotent-replayed'), setOf(again)]).toEqual(['true', setOf(first)]);
    expect(setOf(first)).not.toBe('');
  });

  it.each([
    '',
    'x',
    '42',
    '00000000-0000-0000-0000-000000000000',
    `${crypto.randomUUID()}0`,
    `{${crypto.randomUUID()}}`,
  ])('refuses %j', async (id) => {
    expectError(await admin.post('/records/contacts', { first_name: 'A' }, { 'change-set': id }), 'VALIDATION_ERROR');
  });

  it("refuses another user's, and tells nothing of what is in it", async () => {
    const id = crypto.randomUUID();
    await together(admin, id).post('/records/contacts', { first_name: 'Secret' });
    const replies = [
      await member.post('/records/contacts', { first_name: 'A' }, { 'change-set': id.toUpperCase() }),
      await member.put(`/records/contacts/${crypto.randomUUID()}`, {}, { 'change-set': id }),
    ];
    for (const reply of replies) expectError(reply, 'VALIDATION_ERROR');
    expect(replies.map(({ text }) => text).join('')).not.toMatch(/Secret|contacts/);
  });
});
