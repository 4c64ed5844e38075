/** Tools that read: the members that are asked for, and no more tokens than allowed, with what is left out. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tools } from '../../src/tools/tools.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let ada: Agent;
let company: string;
const long = 'zebra '.repeat(2_000).trim();

beforeAll(async () => {
  kith = await startKith();
  ada = agents(kith)((await kith.organization()).admin);
  const values = (at: number) => ({ name: `Globex ${at}`, description: `${at} ${long}` });
  const records = Array.from({ length: 8 }, (_, at) => values(at));
  await ada.ask('crm_bulk', { action: 'create', object_name: 'companies', records });
  company = (await ada.ask('crm_find_records', { object_name: 'companies', search: 'Globex 1' })).data[0].id;
  for (const at of [1, 2, 3]) await ada.ask('crm_manage_tasks', { action: 'create', title: `Call ${at}` });
  const same = Array.from({ length: 20 }, () => ({ first_name: 'Anna', last_name: 'Lee', emails: 'anna@globex.test' }));
  await ada.ask('crm_bulk', { action: 'create', object_name: 'contacts', records: same });
});
afterAll(() => kith.stop());

it('is offered by each tool that reads rows', () => {
  const without = (argument: string) =>
    tools
      .filter(({ annotations, input }) => annotations.readOnlyHint && !JSON.stringify(input).includes(`"${argument}":`))
      .map(({ name }) => name);
  // One has a single value or groups, one counts.
  expect([without('fields'), without('max_tokens')]).toEqual([['crm_aggregate_records', 'crm_task_stats'], []]);
});

it.each([
  ['crm_manage_tasks', { action: 'list' }, ['title'], 'data.0'],
  ['crm_global_search', { query: 'globex', object_name: 'companies' }, ['name'], 'results.0.records.0'],
  ['crm_get_schema', {}, ['label'], 'objects.0'],
  ['crm_undo', { action: 'list' }, ['operation', 'at'], 'data.0'],
])('%s %j gives %j alone, and what names the row', async (tool, args, fields, path) => {
  const answer = await ada.ask(tool, { ...args, fields });
  const row = path.split('.').reduce((at, key) => at[key], answer);
  expect(
    Object.keys(row)
      .filter((name) => name !== 'id')
      .toSorted(),
  ).toEqual(fields.toSorted());
  expect(await ada.ask(tool, { ...args, fields: fields.join(',') })).toEqual(answer);
  const { code, json } = await ada.call(tool, { ...args, fields: ['no_such'] });
  expect([code, json.available_values]).toEqual(['INVALID_FIELD', expect.arrayContaining(fields)]);
});

it('picks fields of an object by their names', async () => {
  const { fields } = await ada.ask('crm_get_schema', { object_name: 'contacts', fields: ['job_title', 'owner'] });
  expect(fields.map(({ name }: { name: string }) => name)).toEqual(['job_title', 'owner']);
});

it.each([
  [
    'crm_find_records',
    () => ({ object_name: 'companies', record_id: company }),
    /^record\.description: all but the first /,
  ],
  ['crm_find_records', () => ({ object_name: 'companies', limit: 3 }), /^data\[0\]\.description: all but /],
  [
    'crm_global_search',
    () => ({ query: 'globex', object_name: 'companies' }),
    /^results\[0\]\.records\[0\]\.description: /,
  ],
  ['crm_get_schema', () => ({}), /^objects: \d of \d$/],
  ['crm_get_schema', () => ({ object_name: 'companies' }), /^fields.*: \d+ of \d+$/],
  ['crm_get_schema', () => ({ action: 'permissions' }), /^objects\.\w+$/],
  [
    'crm_duplicates',
    () => ({ action: 'detect', object_name: 'contacts' }),
    /^duplicate_groups\[0\]\.records: \d+ of 20$/,
  ],
])('%s %# has no more than max_tokens, and says what is left out', async (tool, args, said) => {
  for (const max_tokens of [300, 700]) {
    const { code, json, length } = await ada.call(tool, { ...args(), max_tokens });
    expect([code, length <= 4 * max_tokens]).toEqual(['ok', true]);
    if (max_tokens > 300) continue;
    expect(json.truncated).toBe(true);
    expect(json.left_out).toContainEqual(expect.stringMatching(said));
  }
});

it('leaves no row of a page out, so that its cursor loses none', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ada.ask('crm_find_records', { object_name: 'companies', limit: 3, cursor, max_tokens: 500 });
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect([seen.length, new Set(seen).size]).toEqual([8, 8]);
});

it('says how many it would take where nothing can be left out', async () => {
  const { code, json } = await ada.call('crm_task_stats', { max_tokens: 3 });
  expect([code, json.message]).toEqual([
    'VALIDATION_ERROR',
    expect.stringMatching(/has about \d+ tokens.*"max_tokens":\d+\}$/),
  ]);
});

it('takes $me in filters for the caller', async () => {
  const filters = { type: 'AND', conditions: [{ field: 'created_by', operator: 'in', value: ['$me'] }] };
  expect((await ada.ask('crm_find_records', { object_name: 'companies', filters, limit: 1 })).total).toBe(8);
  const { workspaceUserId: me } = ada;
  await ada.ask('crm_manage_tasks', { action: 'create', title: 'Mine', assigned_to_id: me });
  const mine = await ada.ask('crm_manage_tasks', { action: 'list', assigned_to: '$me', fields: ['title'] });
  expect(mine.data.map(({ title }: { title: string }) => title)).toContain('Mine');
});
