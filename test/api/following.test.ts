/** [issue: Following] What was changed, in the order of commits, as far as the caller may see it. */
import { afterEach, describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { clientOf, startKith, type Client, type Reply } from '../support/kith.ts';
import { follow, positionNow, settled, told } from './following.ts';
import { listenAs, type Heard, type StreamListener } from './listener.ts';
import { create, expectError, sortedIds, uuid } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { addObject, addRole } from './workspace.ts';

const owners = { view: 'own', create: true, update: 'all', delete: 'all' } as const;
const all = { view: 'all', create: true, update: 'all', delete: 'all' } as const;

let own: Client;
let blind: Client;
let member: Client;
let after: string;

useStage(async () => {
  await addRole(kith, organization, 'Own', { '*': owners });
  await addRole(kith, organization, 'Blind', {
    '*': { ...all, fields: { owner: 'none', domain: 'none', created_at: 'none' } },
    notes: { view: 'all', create: true },
    opportunities: { view: 'none' },
  });
  await addRole(kith, organization, 'By domain', {
    '*': {
      ...all,
      view: { type: 'AND', conditions: [{ field: 'domain', operator: 'equals', value: 'zoo.example' }] },
      fields: { domain: 'none' },
    },
    contacts: { view: { type: 'AND', conditions: [{ field: 'company_id.owner', operator: 'equals', value: '$me' }] } },
  });
  [own, blind, member] = [
    await organization.user('Own'),
    await organization.user('Blind'),
    await organization.user('Member'),
  ];
});

/** What `work` makes the client be told of. */
async function toldOf(client: Client, work: () => Promise<unknown>): Promise<string[]> {
  await settled(kith);
  const before = await positionNow(client);
  await work();
  await settled(kith);
  return told((await follow(client, before)).events);
}

const company = (values: object = {}) => create(admin, 'companies', { name: 'Acme', ...values });
const put = (id: string, values: object, client = admin) => client.put(`/records/companies/${id}`, values);

describe('what is told', () => {
  it('is each change with the record as it is now', async () => {
    await settled(kith);
    after = await positionNow(admin);
    const { id } = await company();
    await put(id, { name: 'Acme 2' });
    await settled(kith);
    const { events } = await follow(admin, after);
    const { record } = (await admin.get(`/records/companies/${id}`)).json;
    const [made] = (await admin.get(`/records/companies/${id}/history`)).json.data.slice(-1);
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        type: 'record.created',
        object_name: 'companies',
        record_id: id,
        at: made.at,
        actor: made.actor,
        means: 'api',
        agent: null,
        change_set: expect.stringMatching(uuid),
        record: expect.objectContaining({ id, name: 'Acme 2', updated_at: record.updated_at }),
      },
      expect.objectContaining({ type: 'record.updated', fields: ['name'], record_id: id }),
    ]);
    const [first] = (await follow(admin, after, { limit: 1 })).events;
    expect(first.id).toBe(events[0].id);
    expect((await follow(member, await positionNow(member))).events).toEqual([]);
  });

  it('is the trash, and what comes out of it; what is gone for good', async () => {
    const { id } = await company();
    expect(await toldOf(admin, () => admin.delete(`/records/companies/${id}`))).toEqual([
      `record.deleted companies ${id}`,
    ]);
    expect(await toldOf(admin, () => admin.post(`/records/companies/${id}/restore`))).toEqual([
      'record.restored companies Acme',
    ]);
    // Who may not delete has no trash to look into.
    expect(await toldOf(member, () => admin.delete(`/records/companies/${id}`))).toEqual([
      `record.removed companies ${id}`,
    ]);
    const gone = await toldOf(admin, () => admin.delete(`/trash/companies/${id}`));
    expect(gone).toEqual([`record.removed companies ${id}`]);
    expect(await toldOf(own, () => admin.get('/me'))).toEqual([]);
  });

  it('is not what a role hides', async () => {
    const { id } = await company({ domain: 'zoo.example' });
    expect(await toldOf(blind, () => put(id, { domain: 'bar.example' }))).toEqual([]);
    expect(await toldOf(blind, () => put(id, { domain: 'zoo.example', name: 'B' }))).toEqual([
      'record.updated companies B name',
    ]);
    expect(await toldOf(blind, () => create(admin, 'opportunities', { name: 'x' }))).toEqual([]);
    await settled(kith);
    const before = await positionNow(blind);
    await company({ name: 'C' });
    await settled(kith);
    const [made] = (await follow(blind, before)).events;
    expect(made).toMatchObject({ at: null, actor: null, change_set: null });
    expect(made.record).not.toHaveProperty('domain');
  });
});

describe('a record that comes into view or leaves it', () => {
  it('arrives as an update, and as a removal that says nothing else', async () => {
    const { id } = await company();
    expect(await toldOf(own, () => put(id, { name: 'D' }))).toEqual([]);
    expect(await toldOf(own, () => put(id, { owner: own.workspaceUserId }))).toEqual([
      'record.updated companies D owner',
    ]);
    await settled(kith);
    const before = await positionNow(own);
    await put(id, { owner: admin.workspaceUserId, name: 'E' });
    await put(id, { name: 'F' });
    await settled(kith);
    const { events } = await follow(own, before);
    expect(events).toEqual([
      { id: expect.any(String), type: 'record.removed', object_name: 'companies', record_id: id },
    ]);
    expect(await toldOf(own, () => admin.delete(`/records/companies/${id}`))).toEqual([]);
  });
});

describe('what nobody else sees', () => {
  it('is never told of, to admins neither: a private note', async () => {
    const writer = await organization.user('Admin');
    await settled(kith);
    const before = await positionNow(admin);
    const { note_id: id } = (await writer.post('/notes', { content: '<p>Secret</p>' })).json;
    await writer.put(`/notes/${id}`, { content: '<p>More</p>' });
    await settled(kith);
    expect(told((await follow(writer)).events).slice(-2)).toEqual([
      'record.created notes More',
      'record.updated notes More title content',
    ]);
    expect((await follow(admin, before)).events).toEqual([]);
    const share = () => writer.put(`/notes/${id}`, { data: { visibility: 'workspace' } });
    expect(await toldOf(admin, share)).toEqual(['record.updated notes More visibility']);
    const hide = () => writer.put(`/notes/${id}`, { data: { visibility: 'private' } });
    expect(await toldOf(admin, hide)).toEqual([`record.removed notes ${id}`]);
    expect(await toldOf(admin, () => writer.delete(`/notes/${id}`))).toEqual([]);
  });
});

describe('a rule', () => {
  it('that looks at what the role hides: a record comes into view by it, and leaves it', async () => {
    const half = await organization.user('By domain');
    const { id } = await company({ domain: 'zoo.example' });
    expect(await toldOf(half, () => put(id, { domain: 'bar.example' }))).toEqual([`record.removed companies ${id}`]);
    expect(await toldOf(half, () => put(id, { domain: 'pub.example', name: 'P' }))).toEqual([]);
    expect(await toldOf(half, () => put(id, { domain: 'zoo.example' }))).toEqual(['record.updated companies P']);
    expect(await toldOf(half, () => put(id, { name: 'Q' }))).toEqual(['record.updated companies Q name']);
  });

  it('that looks at other records: what changes there is a reset of the object', async () => {
    const half = await organization.user('By domain');
    const { id } = await company({ domain: 'zoo.example', owner: admin.workspaceUserId });
    await create(admin, 'contacts', { first_name: 'Kim', company_id: id });
    await settled(kith);
    const before = await positionNow(half);
    const give = () => put(id, { owner: half.workspaceUserId });
    const events = ['reset contacts', 'record.updated companies Acme owner'];
    expect(await toldOf(half, give)).toEqual(events);
    expect(told((await follow(half, before, { limit: 1 })).events)).toEqual(events);
    expect(await toldOf(half, () => put(id, { name: 'R' }))).toEqual(['record.updated companies R name']);
    const kim = await create(admin, 'contacts', { first_name: 'Sam', company_id: id });
    const leave = () => admin.put(`/records/contacts/${kim.id}`, { company_id: null });
    expect(await toldOf(half, leave)).toEqual([`record.removed contacts ${kim.id}`]);
  });

  it('of somebody who has read nothing for long: a record that is gone for good is a reset where not all are seen', async () => {
    const { id } = await company({ owner: own.workspaceUserId });
    await settled(kith);
    const before = await positionNow(own);
    const ofAll = await positionNow(admin);
    await admin.delete(`/records/companies/${id}`);
    await admin.delete(`/trash/companies/${id}`);
    await settled(kith);
    expect(told((await follow(own, before)).events)).toEqual(['reset companies']);
    const gone = `record.removed companies ${id}`;
    expect(told((await follow(admin, ofAll)).events)).toEqual([gone, gone]);
  });
});

it('a merge tells where its duplicates went, an unmerge brings them back', async () => {
  const [master, other] = [await company({ name: 'M' }), await company({ name: 'O' })];
  const body = { object_name: 'companies', master_id: master.id, duplicate_ids: [other.id] };
  await settled(kith);
  const before = await positionNow(admin);
  expect((await admin.post('/duplicates', { action: 'merge', ...body })).status).toBe(200);
  await settled(kith);
  const deleted = (await follow(admin, before)).events.find(({ type }) => type === 'record.deleted');
  expect(deleted).toMatchObject({ record_id: other.id, merged_into: master.id });
  const back = () =>
    admin.post('/duplicates', { action: 'unmerge', object_name: 'companies', duplicate_ids: [other.id] });
  expect(await toldOf(admin, back)).toContain('record.restored companies O');
});

it('a bulk change tells of each, an undo too', async () => {
  const ids = [(await company()).id, (await company()).id];
  await settled(kith);
  const before = await positionNow(admin);
  const change = { action: 'update_field', object_name: 'companies', field_name: 'name', field_value: 'B' };
  const reply = await admin.post('/bulk', { ...change, record_ids: ids });
  await settled(kith);
  const { events } = await follow(admin, before);
  expect(sortedIds(events.map(({ record_id: id }) => ({ id })))).toEqual(sortedIds(ids.map((id) => ({ id }))));
  expect(new Set(events.map(({ change_set: set }) => set)).size).toBe(1);
  const undo = () => admin.post('/undo', { change_set: reply.headers.get('change-set') });
  expect(await toldOf(admin, undo)).toEqual([
    'record.updated companies Acme name',
    'record.updated companies Acme name',
  ]);
});

it('what began earlier and was committed later comes in its turn, and holds up what is behind it', async () => {
  await settled(kith);
  const before = await positionNow(admin);
  const { id } = await company({ name: 'Slow' });
  const found = await kith.database.database.run(
    'test',
    statement(sql`select h.object_id, h.change_set, f.id from ${table('_history')} h
      join ${table('_fields')} f on f.object_id = h.object_id and f.name = 'name' where h.record_id = ${id}::uuid`),
  );
  const [objectId = null, changeSet = null, fieldId = ''] = found.rows[0] ?? [];
  const image = JSON.stringify({ [fieldId ?? '']: 'x' });
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const writing = kith.database.database.transaction('test', async (tx) => {
    await tx.run(
      statement(sql`insert into ${table('_history')} (object_id, record_id, action, before, means, change_set, epoch, tx, at)
        values (${objectId}::uuid, ${id}::uuid, 'update', ${image}::jsonb, 'api', ${changeSet}::uuid,
          1, pg_current_xact_id(), clock_timestamp())`),
    );
    begun.resolve();
    await goOn.promise;
  });
  await begun.promise;
  await company({ name: 'Fast' });
  const first = await follow(admin, before);
  expect(told(first.events)).not.toContain('record.created companies Fast');
  goOn.resolve();
  await writing;
  await settled(kith);
  const second = await follow(admin, first.position);
  expect(told([...first.events, ...second.events])).toEqual([
    'record.created companies Slow',
    'record.updated companies Slow name',
    'record.created companies Fast',
  ]);
});

describe('a position', () => {
  it('of other rights begins anew: another user, a changed role, other objects', async () => {
    await settled(kith);
    const mine = await positionNow(admin);
    await company({ name: 'S' });
    await settled(kith);
    const { events, position } = await follow(member, mine);
    expect(events).toEqual([{ id: expect.any(String), type: 'reset', object_name: null }]);
    expect((await follow(member, position)).events).toEqual([]);
    expect(told((await follow(admin, mine, { object: 'companies' })).events)).toEqual(['reset all']);
    expect(told((await follow(admin, mine)).events)).toEqual(['record.created companies S']);
    const theirs = await positionNow(own);
    await addRole(kith, organization, 'Unrelated', { '*': { view: 'none' } });
    expect((await follow(own, theirs)).events).toEqual([]);
    await addObject(kith, organization, 'things', { name: 'TEXT' });
    expect(told((await follow(own, theirs)).events)).toEqual(['reset all']);
  });

  it('of another organization, or none, is refused as a wrong cursor is', async () => {
    const other = await kith.organization();
    const theirs = await positionNow(other.admin);
    const mine = await positionNow(admin);
    const changed = `${mine.slice(0, -3)}${mine.at(-3) === 'A' ? 'B' : 'A'}${mine.slice(-2)}`;
    for (const wrong of [theirs, 'x', '', `${mine}A`, changed, '1.2.3', mine.slice(4)]) {
      expectError(await admin.get('/events', { after: wrong }), 'VALIDATION_ERROR');
      expectError(await admin.get('/events/stream', { after: wrong }), 'VALIDATION_ERROR');
    }
    expectError(await admin.get('/events/stream', {}, { 'last-event-id': 'x' }), 'VALIDATION_ERROR');
    expect((await follow(other.admin)).events).toEqual([]);
  });

  it('pages are as large as was asked for, up to a thousand', async () => {
    const whole = await follow(admin);
    const inPages = await follow(admin, undefined, { limit: 3 });
    const ids = (events: Reply['json'][]) => events.map(({ id }) => id);
    expect(ids(inPages.events)).toEqual(ids(whole.events));
    expect(new Set(ids(whole.events)).size).toBe(whole.events.length);
    expect((await admin.get('/events', { limit: 3 })).json).toMatchObject({ events: { length: 3 }, has_more: true });
    const reply = await admin.get('/events', { limit: 5_000 });
    expect(reply.headers.get('warning')).toContain('from 1 to 1000');
    expectError(await admin.get('/events', { limit: 'many' }), 'VALIDATION_ERROR');
    expectError(await admin.get('/events', { object: 'nothing' }), 'INVALID_OBJECT');
    expectError(await admin.get('/events', { object: 'threads' }), 'INVALID_OBJECT');
    expectError(await blind.get('/events', { object: 'opportunities' }), 'PERMISSION_DENIED');
  });
});

describe('as server-sent events', () => {
  const open: StreamListener[] = [];
  afterEach(() => {
    for (const listener of open.splice(0)) listener.leave();
  });
  async function listen(client: Client, last?: string, query = ''): Promise<StreamListener> {
    const listener = await listenAs(kith.url, client, last, `events/stream${query}`);
    open.push(listener);
    return listener;
  }
  const nameIn = (heard: Heard | undefined) => told(heard ? [heard.data] : [])[0];

  it('comes as it is read, and goes on behind the event that was heard last', async () => {
    const first = await listen(admin);
    await company({ name: 'S1' });
    await company({ name: 'S2' });
    const heard = await first.next();
    expect(nameIn(heard)).toBe('record.created companies S1');
    expect(heard?.event).toBe('record.created');
    first.leave();
    await company({ name: 'S3' });
    const second = await listen(admin, heard?.id);
    expect(nameIn(await second.next())).toBe('record.created companies S2');
    expect(nameIn(await second.next())).toBe('record.created companies S3');
    const { events } = (await admin.get('/events', { after: heard?.id })).json;
    expect(told(events)).toEqual(['record.created companies S2', 'record.created companies S3']);
    const third = await listen(own, first.ready.id);
    expect(nameIn(await third.next())).toBe('reset all');
  });

  it('hears what another process writes, in the name of whoever listens', async () => {
    const [first, second] = [await listen(admin, undefined, '?object=companies'), await listen(own)];
    const elsewhere = await startKith({ DATABASE_URL: kith.database.url });
    try {
      const there = elsewhere.client(admin.token);
      const [path, owner] = ['/records/companies', own.workspaceUserId];
      for (const values of [{ name: 'T1' }, { name: 'T2', owner }])
        expect((await clientOf(elsewhere.url, there.token, '').post(path, values)).status).toBe(200);
      expect([nameIn(await first.next()), nameIn(await first.next())]).toEqual([
        'record.created companies T1',
        'record.created companies T2',
      ]);
      expect(nameIn(await second.next())).toBe('record.created companies T2');
    } finally {
      await elsewhere.stop();
    }
  });
});
