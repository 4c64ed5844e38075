/** Many records into the trash at once, and out of it. */
import { expect, it } from 'vitest';
import { bulk, idsOf, made, nobody, useBulkStage } from './bulk.ts';
import { setOf, undo } from './change-sets.ts';
import { merge } from './merging.ts';
import { apply, create, createAll, expectError, list } from './records.ts';
import { admin, organization } from './stage.ts';

const rights = { view: 'all', create: true, update: 'all', delete: 'own' };

useBulkStage(() =>
  apply(admin, {
    roles: [
      { name: 'Cleaner', permissions: { '*': rights, companies: { ...rights, view: 'own' } } },
      { name: 'Blind', permissions: { '*': rights, companies: { view: 'none' } } },
    ],
  }),
);

const remove = (object_name: string, record_ids: readonly string[], as = admin, query = '') =>
  bulk({ action: 'delete', object_name, record_ids }, as, query);
const restore = (object_name: string, record_ids: readonly string[], as = admin, query = '') =>
  bulk({ action: 'restore', object_name, record_ids }, as, query);
const named = (value: string) => ({
  type: 'AND',
  conditions: [{ field: 'last_name', operator: 'starts_with', value }],
});
const present = async (object: string, ids: readonly string[]) =>
  idsOf(await list(admin, object, { ids: ids.join(','), limit: 100 })).toSorted();

it('puts all of them into the trash, in one change set that an undo takes back', async () => {
  const ids = await made('companies', 5);
  const contact = await create(admin, 'contacts', { last_name: 'Of the first', company_id: ids[0] });
  const reply = await remove('companies', ids);
  expect(reply.json).toEqual({ action: 'delete', deleted: 5, failed: 0, errors: [], total: 5 });
  expect(await present('companies', ids)).toEqual([]);
  const { record } = (await admin.get(`/records/contacts/${contact.id}`)).json;
  expect(record).toMatchObject({ company_id: ids[0], company_id_display: null });
  const { change_set: told } = (await admin.get(`/change-sets/${setOf(reply)}`)).json;
  expect(told).toMatchObject({ writes: 5, records: 5 });
  expect(await undo(admin, setOf(reply))).toMatchObject({ undone: 5, left_count: 0 });
  expect(await present('companies', ids)).toEqual(ids.toSorted());
});

it('takes them out again, but for those whose unique values others have by now', async () => {
  const values = [{ code: 'A' }, { code: 'B', mails: ['b@x.test'] }, { code: 'C', mails: ['c@x.test'] }];
  const ids = idsOf(
    await createAll(
      admin,
      'projects',
      values.map((own) => ({ name: 'Unique', ...own })),
    ),
  );
  await remove('projects', ids);
  await createAll(admin, 'projects', [
    { name: 'Next', code: 'A' },
    { name: 'Next', mails: ['c@x.test'] },
  ]);
  const { json } = await restore('projects', ids);
  expect(json).toMatchObject({ action: 'restore', restored: 1, failed: 2, total: 3 });
  expect(json.errors.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
  expect(await present('projects', ids)).toEqual([ids[1]]);
  const again = await restore('projects', [ids[1] ?? '', 'nothing']);
  expect(again.json).toMatchObject({ restored: 0, failed: 2 });
  for (const { reason } of again.json.errors) expect(reason).toContain('trash');
});

it('tells of each record that the role may not delete or does not see, and takes the others', async () => {
  const cleaner = await organization.user('Cleaner');
  const mine = await create(cleaner, 'contacts', { last_name: 'Mine' });
  const other = await create(admin, 'contacts', { last_name: 'Other' });
  const { json } = await remove('contacts', [other.id, mine.id, nobody, 'nothing'], cleaner);
  expect(json).toMatchObject({ deleted: 1, failed: 3, total: 4 });
  expect(json.errors).toEqual([
    { id: other.id, reason: 'Your role may not delete this record of contacts' },
    { id: nobody, reason: `No record "${nobody}" in contacts` },
    { id: 'nothing', reason: 'No record "nothing" in contacts' },
  ]);
  const hidden = await create(admin, 'companies', { name: 'Hidden' });
  const unseen = await remove('companies', [hidden.id], cleaner);
  expect(unseen.json.errors).toEqual([{ id: hidden.id, reason: `No record "${hidden.id}" in companies` }]);
  expectError(await remove('companies', [hidden.id], await organization.user('Blind')), 'PERMISSION_DENIED');
  expect(await present('companies', [hidden.id])).toEqual([hidden.id]);
  await remove('contacts', [other.id]);
  const back = await restore('contacts', [other.id, mine.id], cleaner);
  expect(back.json).toMatchObject({ restored: 1, failed: 1 });
  expect(back.json.errors).toEqual([{ id: other.id, reason: 'Your role may not restore this record of contacts' }]);
});

it('does not take merged records: they are gone, and come back by the unmerge alone', async () => {
  const [master, duplicate, plain] = await made('companies', 3);
  expect((await merge('companies', master ?? '', [duplicate ?? ''])).status).toBe(200);
  expect((await remove('companies', [duplicate ?? '', plain ?? ''])).json).toMatchObject({ deleted: 1, failed: 1 });
  const { json } = await restore('companies', [duplicate ?? '', plain ?? '']);
  expect(json).toMatchObject({ restored: 1, failed: 1 });
  expect(json.errors).toEqual([{ id: duplicate, reason: expect.stringContaining(`merged into ${master}`) }]);
});

it('takes all that match, where they are as many as expected', async () => {
  const ids = idsOf(
    await createAll(
      admin,
      'contacts',
      ['Gone 1', 'Gone 2', 'Stays'].map((last_name) => ({ last_name })),
    ),
  );
  const body = { action: 'delete', object_name: 'contacts', filters: named('Gone') };
  expectError(await bulk(body), 'MISSING_REQUIRED_FIELD');
  expectError(await bulk({ ...body, expected_count: 3 }), 'CONFLICT');
  expect(await present('contacts', ids)).toHaveLength(3);
  expect((await bulk({ ...body, expected_count: 2 }, admin, '?dry_run=true')).json).toMatchObject({ deleted: 2 });
  expect(await present('contacts', ids)).toHaveLength(3);
  expect((await bulk({ ...body, expected_count: 2 })).json).toEqual({
    action: 'delete',
    deleted: 2,
    failed: 0,
    errors: [],
    total: 2,
  });
  expect(await present('contacts', ids)).toEqual([ids[2]]);
  expectError(await bulk({ ...body, action: 'restore', expected_count: 2 }), 'VALIDATION_ERROR');
});

it('2,500 records in one request, as one change', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.push(...(await made('contacts', 500)));
  const reply = await remove('contacts', ids);
  expect(reply.json).toMatchObject({ deleted: 2_500, failed: 0 });
  expect(await undo(admin, setOf(reply))).toMatchObject({ undone: 2_500, left_count: 0 });
});

it('refuses tasks and notes, and ids that are missing', async () => {
  expectError(await remove('tasks', [nobody]), 'INVALID_OBJECT');
  expectError(await remove('contacts', []), 'MISSING_REQUIRED_FIELD');
});
