/** Views by their tool: what is told, refused, and asked before one is deleted. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAgent } from '../mcp/agent.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let admin: Client;
let ada: Agent;
let ben: Agent;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ({ admin } = organization);
  [ada, ben] = [agents(kith)(admin), agents(kith)(await organization.user('Member'))];
});
afterAll(() => kith.stop());

const view = {
  columns: [{ field: 'name', width: 200 }, 'amount'],
  filters: { type: 'OR', conditions: [{ field: 'owner', operator: 'equals', value: '$me' }] },
  group_by: 'pipeline',
  totals: 'amount',
};

it('makes, lists, changes and deletes a view', async () => {
  const named = { action: 'create', object_name: 'opportunities', name: 'Mine', layout: 'board' };
  const made = await ben.ask('crm_views', { ...named, view: JSON.stringify(view) });
  expect(made).toMatchObject({
    ...view,
    columns: [view.columns[0], { field: 'amount' }],
    layout: 'board',
    position: 0,
  });
  const { id } = made;
  expect(await ben.ask('crm_views', { action: 'list', object_name: 'opportunities' })).toEqual({
    data: [made],
    total: 1,
  });
  expect(await ada.ask('crm_views', { action: 'list', object_name: 'opportunities' })).toEqual({ data: [], total: 0 });
  const changed = await ben.ask('crm_views', { action: 'update', view_id: id, view: { totals: null, position: 4 } });
  expect(changed).toMatchObject({ name: 'Mine', totals: null, position: 4, group_by: 'pipeline' });
  expect((await ada.call('crm_views', { action: 'update', view_id: id, name: 'x' })).code).toBe('RECORD_NOT_FOUND');
  expect(await ben.ask('crm_views', { action: 'delete', view_id: id })).toEqual({ deleted: true });
});

it('refuses what REST refuses, also within the view', async () => {
  const create = { action: 'create', object_name: 'opportunities', name: 'x' };
  const wrong = async (given: object, agent = ada) => (await agent.call('crm_views', { ...create, view: given })).code;
  expect(await wrong({ is_shared: true }, ben)).toBe('PERMISSION_DENIED');
  expect(await wrong({ columns: ['amuont'] })).toBe('INVALID_FIELD');
  expect(await wrong({ layout: 'board' })).toBe('MISSING_REQUIRED_FIELD');
  expect(await wrong({ totals: 'name' })).toBe('INVALID_OPERATION');
  expect(await wrong({ colums: [] })).toBe('VALIDATION_ERROR');
  const other = { object_name: 'contacts', id: '0190f6c1-0000-7000-8000-000000000000' };
  expect(await wrong(other)).toBe('VALIDATION_ERROR');
  expect((await ada.ask('crm_views', { action: 'list' })).total).toBe(0);
});

it('asks the person before one is deleted, and shows it', async () => {
  const { id } = (
    await admin.post('/views', { object_name: 'contacts', name: 'Guests', sort: [{ field: 'last_name' }] })
  ).json;
  const asked: string[] = [];
  const { client, close } = await connectAgent(kith.url, admin.token, 'current', 'tidy', (question) => {
    asked.push(question);
    return 'decline';
  });
  const { structuredContent } = await client.callTool({
    name: 'crm_views',
    arguments: { action: 'delete', view_id: id },
  });
  await close();
  expect(structuredContent).toMatchObject({ code: 'CONFIRM_REQUIRED' });
  expect(asked).toEqual([expect.stringContaining('Guests')]);
  expect((await admin.get(`/views/${id}`)).status).toBe(200);
});
