/** [decisions: Writing] A record that is made, or changed where one has the same value of a field. */
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { rowsOf } from '../provision/setup.ts';
import type { Client } from '../support/kith.ts';
import { apply, create, expectError, fieldsIn, list } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';

const manifest = {
  objects: [
    {
      name: 'projects',
      label: 'Projects',
      labelSingular: 'Project',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT', isRequired: true },
        { name: 'code', label: 'Code', type: 'TEXT', isUnique: true },
        { name: 'mails', label: 'Mails', type: 'EMAILS', isUnique: true },
        { name: 'budget', label: 'Budget', type: 'INTEGER', defaultValue: 1 },
      ],
    },
  ],
  roles: [
    { name: 'Own', permissions: { '*': { view: 'own', create: true, update: 'own', delete: 'none' } } },
    { name: 'Changer', permissions: { '*': { view: 'all', create: false, update: 'all', delete: 'none' } } },
    { name: 'Maker', permissions: { '*': { view: 'all', create: true, update: 'own', delete: 'none' } } },
    {
      name: 'Blind',
      permissions: { '*': { view: 'all', create: true, update: 'all' }, projects: { fields: { code: 'none' } } },
    },
  ],
};
useStage(() => apply(admin, manifest));

let numbers = 0;
const fresh = () => `c${++numbers}`;
const put = (object: string, match: string, values: object, as: Client = admin, query = '') =>
  as.put(`/records/${object}?match=${match}${query}`, values);
const batch = (match: string, records: readonly unknown[], as: Client = admin) =>
  as.post('/records/projects/batch/upsert', { match, records });
const entries = async (id: string) =>
  (
    await rowsOf(
      kith.database.database,
      sql`select action from ${table('_history')} where record_id = ${id}::uuid order by id`,
    )
  ).map(([action]) => action);

describe('PUT /records/{object}?match=', () => {
  it('creates, then updates, and says which', async () => {
    const code = fresh();
    const made = await put('projects', 'code', { name: 'A', code });
    expect([made.status, made.json]).toMatchObject([
      200,
      { action: 'created', record: { name: 'A', code, budget: 1, owner: admin.workspaceUserId } },
    ]);
    const changed = await put('projects', 'code', { code, budget: 7 });
    expect(changed.json).toMatchObject({ id: made.json.id, action: 'updated', record: { name: 'A', code, budget: 7 } });
    expect(changed.headers.get('etag')).not.toBeNull();
    expect(await entries(made.json.id)).toEqual(['create', 'update']);
    const same = await put('projects', 'code', { code });
    expect(same.json).toMatchObject({ id: made.json.id, action: 'updated' });
    expect(await entries(made.json.id)).toEqual(['create', 'update']);
  });

  it('goes on only from the state that If-Match names, and creates nothing with it', async () => {
    const code = fresh();
    const match = (values: object, tag: string) =>
      admin.put('/records/projects?match=code', { code, ...values }, { 'if-match': tag });
    for (const tag of ['*', '"0123456789abcdef0123456789abcdef"']) {
      const reply = await match({ name: 'A' }, tag);
      expect([reply.status, reply.json.code]).toEqual([412, 'CONFLICT']);
    }
    const made = await put('projects', 'code', { name: 'A', code });
    const first = made.headers.get('etag') ?? '';
    const changed = await match({ budget: 2 }, first);
    expect([changed.status, changed.json.record.budget]).toEqual([200, 2]);
    const stale = await match({ budget: 3 }, first);
    expect([stale.status, stale.json.field_errors]).toEqual([
      412,
      [
        { field: 'code', message: `code is now "${code}"` },
        { field: 'budget', message: 'budget is now 2' },
      ],
    ]);
    expect((await match({ budget: 4 }, '*')).json.record.budget).toBe(4);
    expectError(await match({ budget: 5 }, 'nothing'), 'VALIDATION_ERROR');
    expect(await entries(made.json.id)).toEqual(['create', 'update', 'update']);
  });

  it('puts the record onto lists, whether it was there or not', async () => {
    const code = fresh();
    const { id } = (await admin.post('/lists', { name: 'Upserted', object_types: ['projects'] })).json;
    const made = await put('projects', 'code', { name: 'A', code, add_to_list_ids: [id] });
    expect([made.json.action, made.json.lists]).toMatchObject(['created', [{ list_id: id, added: 1 }]]);
    const again = await put('projects', 'code', { code, add_to_list_ids: [id], create_list_name: 'Its own' });
    expect(again.json).toMatchObject({
      action: 'updated',
      lists: [{ list_id: id, added: 0, skipped_already_in_list: 1 }],
      created_list: { name: 'Its own' },
    });
    expect((await admin.get(`/records/projects/${made.json.id}`)).json.lists.length).toBe(2);
  });

  it('finds a record by one of its addresses, in any case, and leaves the others', async () => {
    const address = `${fresh()}@kith.test`;
    const { id } = await create(admin, 'contacts', { last_name: 'Two', emails: [`other-${address}`, address] });
    const { json } = await put('contacts', 'emails', { emails: address.toUpperCase(), last_name: 'Changed' });
    expect(json).toMatchObject({ id, action: 'updated', record: { last_name: 'Changed' } });
    expect(json.record.emails.map(({ email }: { email: string }) => email)).toEqual([`other-${address}`, address]);
    const phone = await create(admin, 'contacts', { last_name: 'Call', phones: ['+49 30 123456'] });
    expect((await put('contacts', 'phones', { phones: '0049 30 12 34 56' })).json).toMatchObject({
      id: phone.id,
      action: 'updated',
    });
    const unique = (await put('projects', 'mails', { mails: [`u-${address}`], name: 'U' })).json;
    expect(unique.action).toBe('created');
    expect((await put('projects', 'mails', { mails: [`u-${address}`, `v-${address}`], name: 'V' })).json).toMatchObject(
      { id: unique.id, action: 'updated' },
    );
  });

  it('several matches are CONFLICT, with the ids that the caller sees', async () => {
    const address = `${fresh()}@kith.test`;
    const own = await organization.user('Own');
    const one = await create(admin, 'contacts', { last_name: 'One', emails: [address] });
    const two = await create(admin, 'contacts', { last_name: 'Two', emails: [address] });
    const reply = await put('contacts', 'emails', { emails: address });
    expectError(reply, 'CONFLICT');
    expect(reply.json.message).toContain(`${one.id}, ${two.id}`);
    // To one who sees neither, there is none.
    const made = (await put('contacts', 'emails', { emails: address }, own)).json;
    expect(made.action).toBe('created');
    expect((await put('contacts', 'emails', { emails: address, last_name: 'Mine' }, own)).json).toMatchObject({
      id: made.id,
      action: 'updated',
    });
  });

  it('needs the right that it comes to, and tells of a hidden record what a create tells', async () => {
    const [code, other] = [fresh(), fresh()];
    const { id } = await create(admin, 'projects', { name: 'Hidden', code });
    const own = await organization.user('Own');
    const reply = await put('projects', 'code', { code, name: 'Mine' }, own);
    expectError(reply, 'DUPLICATE_RECORD');
    expect(reply.json).toEqual((await own.post('/records/projects', { code, name: 'Mine' })).json);
    expect(reply.text).not.toContain(id);
    const changer = await organization.user('Changer');
    expect((await put('projects', 'code', { code, budget: 3 }, changer)).json).toMatchObject({ id, action: 'updated' });
    expectError(await put('projects', 'code', { code: other, name: 'New' }, changer), 'PERMISSION_DENIED');
    const maker = await organization.user('Maker');
    expectError(await put('projects', 'code', { code, budget: 4 }, maker), 'PERMISSION_DENIED');
    expect((await put('projects', 'code', { code: other, name: 'New' }, maker)).json.action).toBe('created');
    const viewer = await organization.user('Viewer');
    expectError(await put('projects', 'code', { code }, viewer), 'PERMISSION_DENIED');
  });

  it('refuses a field that finds nothing, and a value that is none', async () => {
    const reply = await put('projects', 'name', { name: 'x' });
    expectError(reply, 'INVALID_FIELD');
    expect(reply.json.available_values).toEqual(['code', 'mails']);
    const blind = await organization.user('Blind');
    const hidden = await put('projects', 'code', { name: 'x', code: 'y' }, blind);
    expect([hidden.json.code, hidden.json.available_values]).toEqual(['INVALID_FIELD', ['mails']]);
    expectError(await admin.put('/records/projects', { name: 'x' }), 'MISSING_REQUIRED_FIELD');
    expectError(await put('projects', 'code', { name: 'x' }), 'MISSING_REQUIRED_FIELD');
    expectError(await put('projects', 'code', { name: 'x', code: null }), 'MISSING_REQUIRED_FIELD');
    expectError(await put('tasks', 'title', { title: 'x' }), 'INVALID_OBJECT');
    const wrong = await put('projects', 'code', { code: fresh(), budget: 'x', nothing: 1 });
    expect([wrong.json.code, fieldsIn(wrong)]).toEqual(['VALIDATION_ERROR', ['budget', 'nothing']]);
    expect(fieldsIn(await put('projects', 'code', { code: fresh() }))).toEqual(['name']);
  });

  it('a record in the trash is none; a trial leaves nothing', async () => {
    const code = fresh();
    const gone = await create(admin, 'projects', { name: 'Gone', code });
    await admin.delete(`/records/projects/${gone.id}`);
    const trial = await put('projects', 'code', { code, name: 'New' }, admin, '&dry_run=true');
    expect([trial.json.action, trial.headers.get('dry-run')]).toEqual(['created', 'true']);
    const made = await put('projects', 'code', { code, name: 'New' });
    expect(made.json.action).toBe('created');
    expect(made.json.id).not.toBe(gone.id);
  });

  it.each([
    ['projects', 'code', () => fresh()],
    ['projects', 'mails', () => `${fresh()}@kith.test`],
    ['contacts', 'emails', () => `${fresh()}@kith.test`],
  ])('20 at once with one value of %s.%s make one record', async (object, match, value) => {
    const given = value();
    const key = object === 'contacts' ? 'last_name' : 'name';
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => put(object, match, { [match]: given, [key]: `at ${at}` })),
    );
    expect(replies.map(({ json }) => json.action).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'created',
      ...Array.from({ length: 19 }, () => 'updated'),
    ]);
    const [id] = new Set(replies.map(({ json }) => json.id));
    expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1);
    expect(await entries(id)).toHaveLength(20);
  });

  it('creates between do not make it fail: whoever comes first made it', async () => {
    for (let round = 0; round < 5; round++) {
      const code = fresh();
      const [upserted, created] = await Promise.all([
        put('projects', 'code', { code, name: 'Up' }),
        admin.post('/records/projects', { code, name: 'Made' }),
      ]);
      expect([upserted.json.action, created.json.action ?? created.json.code]).toSatisfy(
        ([up, made]: string[]) =>
          (up === 'created' && made === 'DUPLICATE_RECORD') || (up === 'updated' && made === 'created'),
      );
    }
  });
});

describe('POST /records/{object}/batch/upsert', () => {
  it('makes and changes, each row on its own', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    const old = await create(admin, 'projects', { name: 'Old', code: a });
    const reply = await batch('code', [
      { code: b, name: 'New' },
      { code: a, budget: 9 },
      { code: c },
      'text',
      { code: b, name: 'Again' },
      { name: 'None' },
    ]);
    expect([reply.status, reply.json]).toMatchObject([
      200,
      {
        action: 'upserted',
        created: 1,
        updated: 1,
        failed: 4,
        records: [
          { index: 0, action: 'created' },
          { index: 1, id: old.id, action: 'updated' },
        ],
      },
    ]);
    expect(reply.json.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [2, 'VALIDATION_ERROR'],
      [3, 'VALIDATION_ERROR'],
      [4, 'DUPLICATE_RECORD'],
      [5, 'MISSING_REQUIRED_FIELD'],
    ]);
    const found = await list(admin, 'projects', {
      filters: { type: 'AND', conditions: [{ field: 'code', operator: 'in', value: [a, b, c] }] },
    });
    expect(found.map(({ name, budget }) => [name, budget]).toSorted(([x], [y]) => (x < y ? -1 : 1))).toEqual([
      ['New', 1],
      ['Old', 9],
    ]);
  });

  it('two at once with the same 100 values make 100 records; a repeat with the same key is answered', async () => {
    const codes = Array.from({ length: 100 }, fresh);
    const rows = codes.map((code) => ({ code, name: code }));
    const [one, two] = await Promise.all([batch('code', rows), batch('code', rows.toReversed())]);
    expect([
      one.json.created + two.json.created,
      one.json.updated + two.json.updated,
      one.json.failed + two.json.failed,
    ]).toEqual([100, 100, 0]);
    const send = () =>
      admin.post('/records/projects/batch/upsert', { match: 'code', records: rows }, { 'idempotency-key': 'upsert-1' });
    const first = await send();
    const again = await send();
    expect([first.json.updated, again.json, again.headers.get('idempotent-replayed')]).toEqual([
      100,
      first.json,
      'true',
    ]);
  });

  it('a role without create changes what is there, and is told of the rest', async () => {
    const code = fresh();
    await create(admin, 'projects', { name: 'Old', code });
    const changer = await organization.user('Changer');
    const { json } = await batch(
      'code',
      [
        { code, budget: 2 },
        { code: fresh(), name: 'New' },
      ],
      changer,
    );
    expect([json.updated, json.failed, json.errors[0].code]).toEqual([1, 1, 'PERMISSION_DENIED']);
    expectError(await batch('code', []), 'MISSING_REQUIRED_FIELD');
    expectError(
      await batch(
        'code',
        Array.from({ length: 1_001 }, () => ({})),
      ),
      'VALIDATION_ERROR',
    );
  });
});
