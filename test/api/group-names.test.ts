/** Groups by ids are named: what each id is called, for whoever may see it, at this moment. */
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { planAggregate, type AggregateAnswer } from '../../src/query/plan-aggregate.ts';
import type { Client } from '../support/kith.ts';
import { openWorld } from '../query/asking.ts';
import { create, createAll } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { addObject, addRole, run } from './workspace.ts';

const to = (...names: [string, ...string[]]) => ({
  relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: names[0] } as const,
});
let acme: string;
let globex: string;
let anna: string;
let bea: Client;

useStage(async () => {
  await addObject(kith, organization, 'plans', {
    name: 'TEXT',
    level: 'TEXT',
    company_id: { type: 'RELATION', ...to('companies') },
    about: {
      type: 'MORPH_RELATION',
      relationConfig: {
        relationType: 'MORPH_RELATION',
        targetObjectName: 'companies',
        targetObjectNames: ['companies', 'contacts'],
      },
    },
  });
  const all = { view: 'all', create: true } as const;
  await addRole(kith, organization, 'Bea', { '*': all });
  const some = { type: 'AND', conditions: [{ field: 'name', operator: 'equals', value: 'Acme' }] } as const;
  await addRole(kith, organization, 'Some', { '*': all, companies: { view: some } });
  await addRole(kith, organization, 'Nameless', { '*': all, companies: { fields: { name: 'none' } } });
  bea = await organization.user('Bea');
  [acme, globex] = (await createAll(admin, 'companies', [{ name: 'Acme' }, { name: 'Globex' }])).map(
    ({ id }) => id,
  ) as [string, string];
  anna = (await create(admin, 'contacts', { first_name: 'Anna' })).id;
  await createAll(admin, 'plans', [
    { name: 'a', level: 'x', company_id: acme, about: { object: 'companies', id: globex } },
    { name: 'b', level: 'x', company_id: globex, about: { object: 'contacts', id: anna } },
    { name: 'c', level: 'y', company_id: globex },
    { name: 'd' },
  ]);
  await create(bea, 'plans', { name: 'e', company_id: globex });
});

const results = async (client: Client, group_by: string, object = 'plans') => {
  const reply = await client.get(`/aggregate/${object}`, { group_by });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.results;
};

const labels = async (client: Client, group_by: string, object = 'plans') => {
  const reply = await client.get(`/records/${object}`, { group_by, fields: 'id' });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.labels;
};

describe('an aggregate and a grouped list', () => {
  it('by a relation', async () => {
    expect(await results(admin, 'company_id')).toEqual([
      { group: globex, display: 'Globex', value: 3 },
      { group: acme, display: 'Acme', value: 1 },
      { group: null, display: null, value: 1 },
    ]);
    expect(await labels(admin, 'company_id')).toEqual({ [acme]: 'Acme', [globex]: 'Globex' });
  });

  it('by a relation to several objects', async () => {
    expect(await results(admin, 'about')).toEqual([
      { group: null, display: null, value: 3 },
      ...[
        { group: globex, display: 'Globex', value: 1 },
        { group: anna, display: 'Anna', value: 1 },
      ].toSorted((a, b) => (a.group < b.group ? -1 : 1)),
    ]);
    expect(await labels(admin, 'about')).toEqual({ [globex]: 'Globex', [anna]: 'Anna' });
  });

  it('by a user, also one behind a relation', async () => {
    const users = { [admin.workspaceUserId]: 'Ada Admin', [bea.workspaceUserId]: expect.stringMatching(/^Bea/) };
    expect(await labels(admin, 'owner')).toEqual(users);
    expect(await results(admin, 'created_by')).toEqual([
      { group: admin.workspaceUserId, display: 'Ada Admin', value: 4 },
      { group: bea.workspaceUserId, display: expect.stringMatching(/^Bea/), value: 1 },
    ]);
    expect(await labels(admin, 'company_id.owner')).toEqual({ [admin.workspaceUserId]: 'Ada Admin' });
    expect(await results(admin, 'company_id.owner')).toEqual([
      { group: admin.workspaceUserId, display: 'Ada Admin', value: 4 },
      { group: null, display: null, value: 1 },
    ]);
  });

  it('by a pipeline and by its steps', async () => {
    await createAll(admin, 'opportunities', [{ name: 'o' }, { name: 'p', pipeline_step_id: 'Won' }]);
    for (const group_by of ['pipeline', 'pipeline_step_id']) {
      const found = await results(admin, group_by, 'opportunities');
      expect(found.map(({ display }: { display: string }) => display)).toEqual(['Lead', 'Won']);
      expect(Object.values(await labels(admin, group_by, 'opportunities'))).toEqual(['Lead', 'Won']);
    }
    expect(await results(admin, 'pipeline_id', 'opportunities')).toMatchObject([{ display: 'Sales', value: 2 }]);
    expect(Object.values(await labels(admin, 'pipeline_id', 'opportunities'))).toEqual(['Sales']);
  });

  it('by what is no id has no names', async () => {
    for (const found of await results(admin, 'level')) expect(found).not.toHaveProperty('display');
    expect(await labels(admin, 'level')).toBe(undefined);
  });
});

it('is null for what the caller may not see', async () => {
  for (const [role, known] of [
    ['Some', 'Acme'],
    ['Nameless', null],
  ] as const) {
    const client = await organization.user(role);
    expect(await labels(client, 'company_id')).toEqual({ [acme]: known, [globex]: null });
    expect(await results(client, 'company_id')).toEqual([
      { group: globex, display: null, value: 3 },
      { group: acme, display: known, value: 1 },
      { group: null, display: null, value: 1 },
    ]);
  }
});

it('is what it is called now, though the values are remembered', async () => {
  const names = async () => {
    const found = [
      ...(await results(admin, 'company_id')),
      ...(await results(admin, 'owner')),
      ...Object.entries(await labels(admin, 'company_id')).map(([group, display]) => ({ group, display })),
    ];
    const of = (id: string) => found.filter(({ group }) => group === id).map(({ display }) => display);
    return [of(globex), of(bea.workspaceUserId)];
  };
  const before = await names();
  expect(before[0]).toEqual(['Globex', 'Globex']);
  expect(await names()).toEqual(before);
  await admin.put(`/records/companies/${globex}`, { name: 'Globex Corp' });
  await run(
    kith,
    organization,
    sql`update ${table('_users')} set name = 'Beatrix' where id = ${bea.workspaceUserId}::uuid`,
  );
  expect(await names()).toEqual([['Globex Corp', 'Globex Corp'], ['Beatrix']]);
  await admin.delete(`/records/companies/${globex}`);
  expect(await names()).toEqual([[null, null], ['Beatrix']]);
});

it('is asked with what says that the values are still true, where evaluating them would take long', async () => {
  const { test, things, contextOf } = await openWorld();
  try {
    const context = contextOf();
    const run = async (plan: ReturnType<typeof planAggregate>, asked = plan.statement) =>
      plan.read((await test.database.read('test', [asked]))[0]?.rows ?? []);
    const planned = (remembered?: AggregateAnswer) =>
      planAggregate(context, things, { where: [], function: 'COUNT', groupBy: ['company_id'] }, () => remembered);
    const first = await run(planned());
    expect(first.text).toMatch(/"display":"/);
    const again = planned(first);
    if (!again.check) throw new Error('nothing was remembered');
    expect(await run(again, again.check)).toEqual(first);
    expect(await run(again)).toEqual(first);
  } finally {
    await test.drop();
  }
});
