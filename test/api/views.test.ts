/** Views: what a table or a board shows, kept for a person or for all. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client, TestKith, TestOrganization } from '../support/kith.ts';
import { expectError, timestamp, uuid } from './records.ts';
import { all, any, clearViews, condition, make as makeAs, rich, seen, startViews } from './views.ts';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let ben: Client;
let clerk: Client;
let guest: Client;

beforeAll(async () => {
  ({ kith, organization, ada, ben, clerk, guest } = await startViews());
});
afterAll(() => kith.stop());
beforeEach(() => clearViews([ada, ben, clerk, guest]));

const make = (given: object, client = ada) => makeAs(given, client);
const namesFor = async (client: Client, query: object = { object: 'deals' }): Promise<string[]> => {
  const reply = await client.get('/views', { ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.map(({ name }: { name: string }) => name);
};

describe('a view', () => {
  it('has what was given, nested filters and several sort keys in their order', async () => {
    const made = await make(rich, ben);
    expect(made).toEqual({
      id: expect.stringMatching(uuid),
      ...rich,
      is_partial: false,
      unavailable: [],
      is_shared: false,
      is_draft: false,
      position: 0,
      owner: ben.workspaceUserId,
      owner_display: expect.any(String),
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    });
    expect(await seen(ben, made.id)).toEqual(made);
    expect((await ben.get('/views', { object: 'deals' })).json).toEqual({ data: [made], total: 1 });
  });

  it('gives what a list takes as it is', async () => {
    const { filters, sort, columns } = await make({ ...rich, search: null }, ben);
    const fields = columns.map(({ field }: { field: string }) => field).join(',');
    const query = { filters: JSON.stringify(filters), sort: JSON.stringify(sort), fields };
    const { data } = (await ben.get('/records/deals', query)).json;
    expect(data.map(({ name, worth }: Record<string, unknown>) => [name, worth])).toEqual([
      ['b', 20],
      ['a', 10],
    ]);
  });

  it('takes a name alone for a column', async () => {
    expect((await make({ columns: ['name', { field: 'worth', width: 80 }] })).columns).toEqual([
      { field: 'name' },
      { field: 'worth', width: 80 },
    ]);
  });

  it('is a table of the usual columns where nothing is said', async () => {
    expect(
      await make({ columns: [], sort: null, filters: null, search: '', group_by: '', totals: null }),
    ).toMatchObject({
      layout: 'table',
      columns: null,
      filters: null,
      sort: [],
      search: null,
      group_by: null,
      totals: null,
    });
  });

  it('takes filters and sort as JSON text, and keeps every digit of a number', async () => {
    const text = '{"type":"AND","conditions":[{"field":"worth","operator":"equals","value":12345678901234567890.10}]}';
    const reply = await ada.post('/views', { ...rich, filters: text, sort: JSON.stringify(rich.sort) });
    expect(reply.text).toContain('"value":12345678901234567890.10');
    expect(reply.json.sort).toEqual(rich.sort);
  });

  it('is changed in what is given alone, and cleared by null', async () => {
    const { id } = await make(rich, ben);
    const named = (await ben.put(`/views/${id}`, { name: ' Mine ', position: 7 })).json;
    expect(named).toMatchObject({ ...rich, name: 'Mine', position: 7 });
    const sorted = (await ben.put(`/views/${id}`, { sort: [{ field: 'name', direction: 'asc' }] })).json;
    expect(sorted).toMatchObject({ ...rich, name: 'Mine', sort: [{ field: 'name', direction: 'asc' }] });
    const bare = {
      layout: 'table',
      filters: null,
      group_by: null,
      totals: null,
      search: null,
      columns: null,
      sort: null,
    };
    const cleared = (await ben.put(`/views/${id}`, bare)).json;
    expect(cleared).toMatchObject({ ...bare, sort: [], name: 'Mine' });
    expect(await seen(ben, id)).toEqual(cleared);
  });

  it('keeps what two change at the same time', async () => {
    const { id } = await make(rich);
    const replies = await Promise.all([
      ada.put(`/views/${id}`, { name: 'Named' }),
      ada.put(`/views/${id}`, { columns: [{ field: 'stage' }] }),
      ada.put(`/views/${id}`, { totals: null }),
      ada.put(`/views/${id}`, { position: 3 }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const after = { ...rich, name: 'Named', columns: [{ field: 'stage' }], totals: null, position: 3 };
    expect(await seen(ada, id)).toMatchObject(after);
  });

  it('stands behind the others, or where it is put, page by page', async () => {
    for (const name of ['one', 'two', 'three']) await make({ name }, ben);
    const { id } = await make({ name: 'first', position: 0 }, ben);
    await make({ name: 'shared', is_shared: true });
    await make({ name: 'other', object_name: 'contacts' }, ben);
    expect(await namesFor(ben)).toEqual(['one', 'first', 'shared', 'two', 'three']);
    await ben.put(`/views/${id}`, { position: 9 });
    const first = (await ben.get('/views', { object: 'deals', limit: 3 })).json;
    const second = (await ben.get('/views', { object: 'deals', limit: 3, cursor: first.nextCursor })).json;
    expect([first.total, first.data.length, second.data.map(({ name }: { name: string }) => name)]).toEqual([
      5,
      3,
      ['three', 'first'],
    ]);
    expectError(await ben.get('/views', { cursor: first.nextCursor }), 'VALIDATION_ERROR');
    expect((await namesFor(ben, {})).toSorted()).toEqual(['first', 'one', 'other', 'shared', 'three', 'two']);
  });

  it('is of tasks, too', async () => {
    const view = { object_name: 'tasks', filters: all(condition('priority', 'equals', 'urgent')) };
    expect(await make(view, ben)).toMatchObject(view);
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['no visible name', { name: ' ' }, 'VALIDATION_ERROR'],
    ['no object', { object_name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['an object that there is not', { object_name: 'dials' }, 'INVALID_OBJECT'],
    ['an object of the service', { object_name: 'threads' }, 'INVALID_OBJECT'],
    ['another layout', { layout: 'cards' }, 'VALIDATION_ERROR'],
    ['a board without groups', { group_by: null }, 'MISSING_REQUIRED_FIELD'],
    ['a column that there is not', { columns: [{ field: 'nmae' }] }, 'INVALID_FIELD'],
    ['a column twice', { columns: [{ field: 'name' }, { field: 'name' }] }, 'VALIDATION_ERROR'],
    ['columns as text', { columns: 'name' }, 'VALIDATION_ERROR'],
    ['a column of no width', { columns: [{ field: 'name', width: 0 }] }, 'VALIDATION_ERROR'],
    [
      'too many columns',
      { columns: Array.from({ length: 201 }, (_, at) => ({ field: `f${at}` })) },
      'VALIDATION_ERROR',
    ],
    ['a filter of a field that there is not', { filters: all(condition('worht', 'is_null')) }, 'INVALID_FIELD'],
    ['a wrong operator deep inside', { filters: all(any(condition('worth', 'starts_with', '1'))) }, 'VALIDATION_ERROR'],
    ['an operator that there is not', { filters: all(condition('worth', 'eqals', 1)) }, 'VALIDATION_ERROR'],
    ['a filter that is no JSON', { filters: '{' }, 'VALIDATION_ERROR'],
    ['a sort by a field that there is not', { sort: [{ field: 'wroth' }] }, 'INVALID_FIELD'],
    ['a sort that is no JSON', { sort: 'name' }, 'VALIDATION_ERROR'],
    ['six sort keys', { sort: Array.from({ length: 6 }, () => ({ field: 'name' })) }, 'VALIDATION_ERROR'],
    ['another direction', { sort: [{ field: 'name', direction: 'up' }] }, 'VALIDATION_ERROR'],
    ['groups of long text', { group_by: 'remark' }, 'INVALID_OPERATION'],
    ['sums of text', { totals: 'name' }, 'INVALID_OPERATION'],
    ['sums of what there is not', { totals: 'worthh' }, 'INVALID_FIELD'],
    ['more than can be read', { filters: all(condition('name', 'equals', 'x'.repeat(20_000))) }, 'VALIDATION_ERROR'],
    ['a position before the first', { position: -1 }, 'VALIDATION_ERROR'],
    ['a key that there is not', { group: 'stage' }, 'VALIDATION_ERROR'],
  ])('is refused with %s, and nothing is kept or changed', async (_what, wrong, code) => {
    expectError(await ada.post('/views', { ...rich, ...wrong }), code);
    expect(await namesFor(ada)).toEqual([]);
    if ('object_name' in wrong || ('name' in wrong && wrong.name === undefined)) return;
    const made = await make(rich);
    expectError(await ada.put(`/views/${made.id}`, wrong), code);
    expect(await seen(ada, made.id)).toEqual(made);
  });

  it('is told with the nearest name of a field', async () => {
    const { json } = await ada.post('/views', { ...rich, filters: all(any(condition('worht', 'is_null'))) });
    expect(json.message).toContain('worth');
    expect(json.available_values).toContain('worth');
  });

  it('is tried without being kept', async () => {
    const { json } = await ada.post('/views?dry_run=true', rich);
    expect(json).toMatchObject(rich);
    expectError(await ada.get(`/views/${json.id}`), 'RECORD_NOT_FOUND');
  });
});

describe('whose views are', () => {
  it('are their owner’s alone, also from admins', async () => {
    const { id } = await make({ name: 'bens' }, ben);
    const before = await seen(ben, id);
    for (const client of [ada, clerk, guest]) {
      expect(await namesFor(client, {})).toEqual([]);
      expectError(await client.get(`/views/${id}`), 'RECORD_NOT_FOUND');
      expectError(await client.put(`/views/${id}`, { name: 'x' }), 'RECORD_NOT_FOUND');
      expectError(await client.delete(`/views/${id}`), 'RECORD_NOT_FOUND');
    }
    expect(await seen(ben, id)).toEqual(before);
    expect((await ben.delete(`/views/${id}`)).json).toEqual({ deleted: true });
    expectError(await ben.delete(`/views/${id}`), 'RECORD_NOT_FOUND');
    expectError(await ben.get('/views/none'), 'RECORD_NOT_FOUND');
  });

  it('shared ones are seen by all who see the object, and are for admins to change', async () => {
    const { id } = await make({ name: 'ours', is_shared: true });
    expect(await namesFor(ben)).toEqual(['ours']);
    expect(await seen(clerk, id)).toMatchObject({ is_shared: true, owner: ada.workspaceUserId });
    for (const client of [ben, clerk]) {
      expectError(await client.put(`/views/${id}`, { name: 'x' }), 'PERMISSION_DENIED');
      expectError(await client.put(`/views/${id}`, { is_shared: false }), 'PERMISSION_DENIED');
      expectError(await client.delete(`/views/${id}`), 'PERMISSION_DENIED');
      expectError(await client.post('/views', { ...rich, columns: null, is_shared: true }), 'PERMISSION_DENIED');
    }
    const mine = await make({ name: 'mine' }, ben);
    expectError(await ben.put(`/views/${mine.id}`, { is_shared: true }), 'PERMISSION_DENIED');
    expect(await seen(ben, mine.id)).toEqual(mine);
    expect(await seen(ada, id)).toMatchObject({ name: 'ours', is_shared: true });
  });

  it('any admin changes and deletes what is shared, and its owner alone keeps it alone again', async () => {
    const another = await organization.user('Admin');
    const { id } = await make({ name: 'ours', is_shared: true });
    expect((await another.put(`/views/${id}`, { name: 'theirs' })).json.name).toBe('theirs');
    expectError(await another.put(`/views/${id}`, { is_shared: false }), 'PERMISSION_DENIED');
    expect((await ada.put(`/views/${id}`, { is_shared: false })).json.is_shared).toBe(false);
    expectError(await another.get(`/views/${id}`), 'RECORD_NOT_FOUND');
    expect((await ada.put(`/views/${id}`, { is_shared: true })).json.is_shared).toBe(true);
    expect((await another.delete(`/views/${id}`)).json).toEqual({ deleted: true });
  });

  it('of an object that is hidden there are none', async () => {
    const { id } = await make({ name: 'ours', is_shared: true });
    expect(await namesFor(guest, {})).toEqual([]);
    expectError(await guest.get(`/views/${id}`), 'RECORD_NOT_FOUND');
    expectError(await guest.post('/views', { object_name: 'deals', name: 'x' }), 'PERMISSION_DENIED');
    expectError(await guest.get('/views', { object: 'deals' }), 'PERMISSION_DENIED');
    const stranger = (await kith.organization()).admin;
    expectError(await stranger.get(`/views/${id}`), 'RECORD_NOT_FOUND');
  });

  it('are a hundred of a person for each object, also of those that are made at once', async () => {
    const cara = await organization.user('Member');
    for (let made = 0; made < 98; made++) await make({ name: `v${made}` }, cara);
    const last = await Promise.all(
      Array.from({ length: 4 }, () => cara.post('/views', { object_name: 'deals', name: 'last' })),
    );
    expect(last.filter(({ status }) => status === 200)).toHaveLength(2);
    expectError(
      last.find(({ status }) => status === 400)!,
      'VALIDATION_ERROR',
    );
    expect((await cara.get('/views')).json.total).toBe(100);
    await make({ object_name: 'contacts' }, cara);
    await make({}, ben);
  });
});

describe('a draft', () => {
  const draft = (given: object, client = ben) => make({ ...rich, is_draft: true, ...given }, client);

  it('is in no list and stands in nobody’s way, and keeps what it shows', async () => {
    const kept = await draft({});
    expect(kept).toMatchObject({ ...rich, is_draft: true, is_shared: false, position: null });
    expect(await seen(ben, kept.id)).toEqual(kept);
    expect(await namesFor(ben)).toEqual([]);
    expect(await make({ name: 'First' }, ben)).toMatchObject({ position: 0, is_draft: false });
  });

  it('is never changed, is alone, and is its maker’s to delete', async () => {
    const { id } = await draft({});
    expectError(await ben.put(`/views/${id}`, { name: 'Other' }), 'VALIDATION_ERROR');
    expectError(await ada.put(`/views/${id}`, { position: 1 }), 'RECORD_NOT_FOUND');
    expectError(await ada.delete(`/views/${id}`), 'RECORD_NOT_FOUND');
    for (const more of [{ is_shared: true }, { position: 3 }])
      expectError(
        await ada.post('/views', { ...rich, name: 'Both', is_draft: true, ...more }),

        'VALIDATION_ERROR',
      );
    expect((await ben.delete(`/views/${id}`)).json).toEqual({ deleted: true });
    expectError(await ben.get(`/views/${id}`), 'RECORD_NOT_FOUND');
  });

  it('is read by whoever knows its id and sees the object, without what is hidden from them', async () => {
    const { id } = await draft({});
    expect((await ada.get(`/views/${id}`)).json).toMatchObject(rich);
    expect((await clerk.get(`/views/${id}`)).json).toMatchObject({ is_partial: true });
    expect((await clerk.get(`/views/${id}`)).text).not.toContain('worth');
    expectError(await guest.get(`/views/${id}`), 'RECORD_NOT_FOUND');
  });

  it('makes place for newer ones, and takes none from views', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 102; at++) ids.push((await draft({ search: `word ${at}` })).id);
    const answers = await Promise.all(ids.map((id) => ben.get(`/views/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, ...Array(100).fill(200)]);
    await make({ name: 'Still one' }, ben);
    expect(await namesFor(ben)).toEqual(['Still one']);
    for (const id of ids.slice(2)) await ben.delete(`/views/${id}`);
  });
});
