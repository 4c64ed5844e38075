/** [issue: Following] What the feed says where much lies between two events, or what is told of is gone for good. */
import { expect, it } from 'vitest';
import { sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { startKith } from '../support/kith.ts';
import { follow, positionNow, settled, told } from './following.ts';
import { create } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { addRole } from './workspace.ts';

useStage(() => addRole(kith, organization, 'Own', { '*': { view: 'own' } }));

const company = (values: object) => create(admin, 'companies', { name: 'Acme', ...values });

it('says has_more where there is more, and not for what is told to others alone', async () => {
  const own = await organization.user('Own');
  await settled(kith);
  const before = await positionNow(own);
  await company({ name: 'Mine', owner: own.workspaceUserId });
  const records = Array.from({ length: 60 }, (_, at) => ({ name: `Theirs ${at}` }));
  for (const some of [records, records])
    expect((await admin.post('/records/companies/batch/create', { records: some })).status).toBe(200);
  await settled(kith);
  const only = (await own.get('/events', { after: before, limit: 1 })).json;
  expect([told(only.events), only.has_more]).toEqual([['record.created companies Mine'], false]);
  await company({ name: 'Mine, too', owner: own.workspaceUserId });
  await settled(kith);
  expect((await own.get('/events', { after: before, limit: 1 })).json.has_more).toBe(true);
  expect(told((await follow(own, before, { limit: 1 })).events)).toEqual([
    'record.created companies Mine',
    'record.created companies Mine, too',
  ]);
});

it('a rule that looks at long texts: those that leave are told, and no others, however many they are', async () => {
  const conditions = [{ field: 'description', operator: 'contains' as const, value: 'open' }];
  await addRole(kith, organization, 'Open', { '*': { view: { type: 'AND', conditions } } });
  const reader = await organization.user('Open');
  const records = Array.from({ length: 100 }, (_, at) => ({
    name: 'L',
    description: at % 3 === 0 ? 'shut' : 'open',
  }));
  const made = (await admin.post('/records/companies/batch/create', { records })).json.records.map(
    ({ id }: { id: string }) => id,
  );
  const change = {
    action: 'update_field',
    object_name: 'companies',
    field_name: 'description',
    field_value: 'ended',
  };
  const end = () => admin.post('/bulk', { ...change, record_ids: made });
  const left = made.filter((_: string, at: number) => at % 3 !== 0);
  await settled(kith);
  const before = await positionNow(reader);
  expect((await end()).status).toBe(200);
  await settled(kith);
  expect(told((await follow(reader, before)).events).toSorted()).toEqual(
    left.map((id: string) => `record.removed companies ${id}`).toSorted(),
  );
});

it('a private note comes out of the copy of who had it, where it is gone for good before that was told: nobody is told its id', async () => {
  const writer = await organization.user('Admin');
  const { note_id: id } = (await writer.post('/notes', { content: '<p>Secret</p>' })).json;
  await settled(kith);
  const [theirs, mine] = [await positionNow(writer), await positionNow(admin)];
  await writer.delete(`/notes/${id}`);
  const run = async (query: Sql) => (await kith.database.database.run('test', statement(query))).count;
  await run(sql`update ${table('_notes')} set deleted_at = now() - interval '31 days' where id = ${id}::uuid`);
  const elsewhere = await startKith({ DATABASE_URL: kith.database.url, KITH_JOBS: 'on' });
  try {
    const there = () => run(sql`select from ${table('_notes')} where id = ${id}::uuid`);
    await expect.poll(there, { timeout: 20_000, interval: 20 }).toBe(0);
  } finally {
    await elsewhere.stop();
  }
  await settled(kith);
  expect(told((await follow(writer, theirs)).events)).toEqual(['reset notes']);
  expect(told((await follow(admin, mine)).events)).toEqual(['reset notes']);
});

it('a role whose rule looks at links is told nothing of what becomes of private notes, and resets for others', async () => {
  const conditions = [{ field: 'contacts', operator: 'is_not_empty' as const }];
  const permissions = { '*': { view: 'all' as const }, notes: { view: { type: 'AND' as const, conditions } } };
  await addRole(kith, organization, 'Linked', permissions);
  const reader = await organization.user('Linked');
  const [one, another] = [
    await create(admin, 'contacts', { last_name: 'One' }),
    await create(admin, 'contacts', { last_name: 'Another' }),
  ];
  const link = (id: string) => ({ linked_entities: [{ type: 'contacts', id }] });
  const lifeOf = async (visibility: string) => {
    const made = await admin.post('/notes', { content: '<p>x</p>', data: { visibility } });
    expect(made.status, made.text).toBe(201);
    const id = made.json.note_id;
    for (const linked of [link(one.id), link(another.id), { linked_entities: [] }, link(one.id)]) {
      const reply = await admin.put(`/notes/${id}`, linked);
      expect(reply.status, reply.text).toBe(200);
    }
    expect((await admin.delete(`/notes/${id}`)).status).toBe(200);
    await settled(kith);
  };
  await settled(kith);
  const before = await positionNow(reader);
  await lifeOf('private');
  const between = await follow(reader, before);
  expect(told(between.events)).toEqual([]);
  await lifeOf('workspace');
  expect(told((await follow(reader, between.position)).events)).toContain('reset notes');
});
