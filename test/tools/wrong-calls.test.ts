/** Each wrong call is answered with one that would be right, which is played: what stands in `<…>` is an id that is looked up. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tools } from '../../src/tools/tools.ts';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { account } from '../api/sending.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { agents, type Agent, type ToolReply } from './agent.ts';

let kith: TestKith;
let ada: Agent;
let places: Record<string, () => Promise<string> | string>;
/** One of each channel. */
const threads: Record<string, string> = {};

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  const { admin } = organization;
  ada = agents(kith)(admin);
  const address = await emailOf(admin);
  const meeting = {
    kind: 'event',
    user: address,
    external_id: 'e-1',
    title: 'Demo',
    start_time: '2026-01-02T13:00:00Z',
  };
  const inThread = (channel: string) =>
    messageLine(address, channel, { channel, external_thread_id: channel, from: '+1 555 0100', to: [] });
  await ingest(kith, organization, [
    account(address, ['email', 'linkedin', 'whatsapp']),
    messageLine(address, 'm-1'),
    inThread('linkedin'),
    inThread('whatsapp'),
    meeting,
  ]);
  const made = async (object_name: string, values: object) =>
    (await ada.ask('crm_save_record', { action: 'create', object_name, values })).id as string;
  const contact = () => made('contacts', { first_name: 'Anna', emails: 'anna@globex.test' });
  const deal = () => made('opportunities', { name: 'Pumps' });
  const list = async () => (await ada.ask('crm_create_list', { name: 'Guests', object_types: ['contacts'] })).id;
  for (const channel of ['email', 'linkedin', 'whatsapp'])
    threads[channel] = (await admin.get('/inbox/threads', { channel })).json.data[0].id;
  const { email: thread = '' } = threads;
  const analyze = { action: 'analyze', object_name: 'contacts', data: '[{"first_name":"Anna"}]' };
  places = {
    contact,
    entity_id: contact,
    deal,
    target_id: contact,
    master_id: contact,
    duplicate_id: contact,
    pipeline_step_id: 'Won'.toString.bind('Won'),
    task_id: async () => (await ada.ask('crm_manage_tasks', { action: 'create', title: 'Call' })).task_id,
    note_id: async () => (await ada.ask('crm_manage_notes', { action: 'create', content: 'Met' })).note_id,
    thread_id: () => thread,
    interaction_id: async () => (await admin.get(`/inbox/threads/${thread}`)).json.messages[0].id,
    list_id: list,
    dashboard_id: async () =>
      (await ada.ask('crm_manage_dashboards', { action: 'create', dashboard_name: 'Sales' })).id,
    import_job_id: async () => (await ada.ask('crm_import_records', analyze)).import_job_id,
    change_set: async () => (await admin.get(`/records/contacts/${await contact()}/history`)).json.data[0].change_set,
  };
});
afterAll(() => kith.stop());

const exampleIn = (message: string) => JSON.parse(/For example: (\{.*\})$/.exec(message)?.[1] ?? 'null');

/** The example with ids in their places. */
async function filled(tool: string, example: Record<string, unknown>): Promise<Record<string, unknown>> {
  let text = JSON.stringify(example);
  for (const [place, name = ''] of text.matchAll(/<(\w+)>/g)) {
    const found = name === 'record_id' ? (example['object_name'] === 'opportunities' ? 'deal' : 'contact') : name;
    if (name === 'confirm_token') {
      const { confirm_token } = await ada.ask(tool, { ...example, action: 'preview', confirm_token: undefined });
      text = text.replace(place, confirm_token);
    } else if (name === 'thread_id') text = text.replace(place, threads[String(example['channel'] ?? 'email')] ?? '');
    else text = text.replace(place, String(await places[found]?.()));
  }
  return JSON.parse(text);
}

/** What must be there first, so that it can be taken back. */
async function prepare(tool: string, { action, object_name, record_id, duplicate_ids }: Record<string, unknown>) {
  if (tool === 'crm_save_record' && action === 'restore')
    await ada.ask(tool, { action: 'delete', object_name, record_id });
  if (tool === 'crm_duplicates' && action === 'unmerge')
    await ada.ask(tool, { action: 'merge', object_name, duplicate_ids, master_id: await places['contact']?.() });
}

async function play(tool: string, refused: ToolReply): Promise<void> {
  const example = exampleIn(refused.json.message);
  expect([refused.json.message, example]).not.toContain(null);
  expect(await played(tool, example)).toBeUndefined();
}

/** How the example is answered that does not work. */
async function played(tool: string, example: Record<string, unknown>): Promise<string | undefined> {
  const args = await filled(tool, example);
  await prepare(tool, args);
  const { code, json } = await ada.call(tool, args);
  return code === 'ok' ? undefined : `${JSON.stringify(args)}: ${json.message}`;
}

/** These actions need a job, which the small changes of this test never make. */
const needsJob = (tool: string, action: string) => tool === 'crm_bulk' && (action === 'status' || action === 'cancel');

let refusedActions = 0;

it.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s: what an action lacks is told with a call that works',
  async (name, { actions, input }) => {
    const hasAction = actions.size > 1 && JSON.stringify(input).includes('"action":{"type":"string","enum"');
    for (const action of actions.keys()) {
      if (needsJob(name, action)) continue;
      const refused = await ada.call(name, hasAction ? { action } : {});
      if (refused.code === 'ok') continue;
      refusedActions++;
      expect([name, action, refused.code]).toEqual([name, action, 'MISSING_REQUIRED_FIELD']);
      await play(name, refused);
    }
  },
);

it('has met actions that lack something', () => {
  expect(refusedActions).toBeGreaterThan(40);
});

const condition = (field: string, operator: string, value: unknown) => ({
  type: 'AND',
  conditions: [{ field, operator, value }],
});

const aChart = {
  action: 'create',
  dashboard_name: 'Sales',
  title: 'Deals',
  object_name: 'opportunities',
  chart_type: 'indicator',
  metric_field: 'id',
  aggregation: 'COUNT',
};

it.each([
  ['crm_get_schema', { action: 'fields', object_name: 'contacts' }],
  ['crm_get_schema', { object_name: 'contact' }],
  ['crm_get_schema', { object_name: 'contacts', fields: ['job_titel'] }],
  ['crm_find_records', { object_name: 'deals' }],
  ['crm_find_records', { object_name: 'contacts', fields: ['full_nam'] }],
  ['crm_find_records', { object_name: 'contacts', filters: condition('job_titel', 'equals', 'CEO') }],
  ['crm_find_records', { object_name: 'contacts', filters: JSON.stringify(condition('job_titel', 'equals', 'CEO')) }],
  ['crm_find_records', { object_name: 'contacts', filters: condition('job_title', 'eqals', 'CEO') }],
  ['crm_find_records', { object_name: 'companies', filters: condition('industry', 'equals', 'sofware') }],
  ['crm_find_records', { object_name: 'contacts', filters: [] }],
  ['crm_find_records', { object_name: 'contacts', filters: { first_name: 'Anna' } }],
  ['crm_find_records', { object_name: 'contacts', sort: [{ name: 'last_name' }] }],
  ['crm_find_records', { object_name: 'contacts', sort: [{ field: 'lastname', direction: 'asc' }] }],
  ['crm_find_records', { object_name: 'contacts', sort_by: 'lastname' }],
  ['crm_find_records', { object_name: 'contacts', limit: 'many' }],
  ['crm_find_records', { object_name: 'contacts', cursor: 'x' }],
  ['crm_find_records', { object_name: 'contacts', max_tokens: 'few' }],
  ['crm_global_search', { query: 'a' }],
  ['crm_aggregate_records', { object_name: 'contacts', field: 'id', function: 'CONT' }],
  ['crm_aggregate_records', { object_name: 'contacts', field: 'job_title', function: 'SUM' }],
  ['crm_aggregate_records', { object_name: 'contacts', field: 'id', function: 'COUNT', group_by: 'ownr' }],
  [
    'crm_manage_dashboards',
    {
      action: 'create',
      dashboard_name: 'x',
      title: 't',
      object_name: 'contacts',
      chart_type: 'pie',
      group_by: 'owner',
    },
  ],
  ['crm_save_record', { action: 'create', object_name: 'companies', values: { name: 'X', industry: 'sofware' } }],
  ['crm_save_record', { action: 'create', object_name: 'companies', values: { nam: 'X' } }],
  ['crm_save_record', { action: 'create', object_name: 'companies', values: { name: 'X', employees: 'many' } }],
  [
    'crm_save_record',
    { action: 'create', object_name: 'opportunities', values: { name: 'X', pipeline_step_id: 'Propsal' } },
  ],
  ['crm_save_record', { action: 'create', object_name: 'contact', values: { first_name: 'X' } }],
  ['crm_bulk', { action: 'create', object_name: 'contacts', records: 7 }],
  ['crm_manage_tasks', { action: 'list', priority: 'urgent' }],
  ['crm_manage_tasks', { action: 'create', title: 'x', priority: 'high' }],
  ['crm_manage_tasks', { action: 'create', title: 'x', due_date: 'tomorrow' }],
  ['crm_manage_tasks', { action: 'list', fields: ['titel'] }],
  ['crm_task_stats', { max_tokens: 5 }],
  ['crm_manage_notes', { action: 'create', content: 'x', visibility: 'public' }],
  ['crm_find_events', { start_date: 'soon', end_date: '2026-12-01' }],
  ['crm_inbox', { action: 'list_threads', channel: 'fax' }],
  ['crm_send_message', { action: 'preview', channel: 'fax', body: 'x' }],
  ['crm_create_list', { name: 'x', object_types: ['contact'] }],
  ['crm_export_records', { object_name: 'contacts', format: 'xml' }],
  ['crm_import_records', { action: 'analyse', object_name: 'contacts', data: '[{"first_name":"Anna"}]' }],
  ['crm_duplicates', { action: 'detect', object_name: 'contacts', fields: ['email'] }],
  ['crm_undo', { action: 'trash', object_name: 'contacs' }],
  ['crm_aggregate_records', { object_name: 'opportunities', function: 'SUM' }],
  ['crm_aggregate_records', { object_name: 'opportunities', function: 'SUM', field: 'nope' }],
  ['crm_manage_dashboards', { ...aChart, object_name: 'nope', metric_field: 'amount' }],
  ['crm_manage_dashboards', { action: 'create', dashboard_name: 'x', title: 'x' }],
  ['crm_manage_dashboards', { action: 'create', dashboard_name: ' ' }],
  ['crm_manage_tasks', { action: 'list', filters: condition('nope', 'equals', 'x') }],
  ['crm_find_records', { object_name: 'contacts', filter_field: 'nope', filter_operator: 'equals', filter_value: 1 }],
  ['crm_save_record', { action: 'create', object_name: 'nope', values: { name: 'x' } }],
  ['crm_manage_tasks', { action: 'create', title: 'x', linked_entities: [{ id: 'x' }] }],
  ['crm_manage_tasks', { action: 'list', assigned_to: 'ada' }],
  ['crm_import_records', { action: 'analyze', object_name: 'contacts', data: 'first_name\nAnna', format: 'xls' }],
  ['crm_find_events', { start_date: '2026-03-01' }],
  ['crm_find_events', { end_date: '2025-03-01' }],
])('%s %j leads to a call that works', async (tool, args) => {
  const refused = await ada.call(tool, args);
  expect(refused.code).not.toBe('ok');
  await play(tool, refused);
});

it.each([
  [{ channel: 'whatsapp', thread_id: 'whatsapp', to: ['a@x.test'] }],
  [{ channel: 'linkedin', thread_id: 'linkedin', subject: 'x' }],
  [{ channel: 'linkedin', thread_id: 'email' }],
  [{ channel: 'email', thread_id: 'linkedin', to: ['a@x.test'], subject: 'x' }],
  [{ channel: 'telegram', thread_id: 'whatsapp' }],
  [{ channel: 'linkedin', chat_id: 'x' }],
  [{ channel: 'linkedin' }],
  [{ channel: 'whatsapp' }],
  [{ channel: 'email', to: ['a@x.test'], subject: 'x', cc: ['bad'], bcc: ['bad'] }],
  [{ channel: 'email', to: ['a@x.test'], subject: 'x', bcc: 'bad' }],
])('a message %j leads to one that can be sent', async ({ thread_id: thread, ...message }: Record<string, unknown>) => {
  const own = thread === undefined ? {} : { thread_id: threads[String(thread)] };
  const tool = 'crm_send_message';
  const refused = await ada.call(tool, { action: 'preview', body: 'x', ...message, ...own });
  expect(refused.code).not.toBe('ok');
  await play(tool, refused);
});

it.each([
  [[{ column: 'first_name', action: 'map', field: 'nope' }]],
  [[{ column: 'TEXT', action: 'new_field', new_field_name: 'x', new_field_type: 'BOGUS' }]],
  [[{ action: 'map', field: 'first_name' }]],
  [[{ column: 'first_name', action: 'mapp', field: 'first_name' }]],
])('a mapping %j leads to one that works', async (mapping) => {
  const data = [{ first_name: 'Anna', TEXT: 'x' }];
  const tool = 'crm_import_records';
  const { import_job_id } = await ada.ask(tool, { action: 'analyze', object_name: 'contacts', data });
  const refused = await ada.call(tool, { action: 'preview', import_job_id, mapping });
  expect(refused.code).not.toBe('ok');
  await play(tool, refused);
});

it('names no section twice', async () => {
  const args = { object_name: 'contacts', record_id: await places['contact']?.(), include: ['interactions', 'nope'] };
  const refused = await ada.call('crm_find_activity', args);
  expect(exampleIn(refused.json.message).include).toEqual(['interactions']);
  await play('crm_find_activity', refused);
});

let playedExamples = 0;

it.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s: whatever is wrong in one argument, the call that is told works',
  async (name, { actions }) => {
    const failed: string[] = [];
    for (const [action, { needs, takes }] of actions) {
      if (needsJob(name, action)) continue;
      const asked = actions.size > 1 && name !== 'crm_find_records' && name !== 'crm_get_schema' ? { action } : {};
      const { code, json } = await ada.call(name, asked);
      const isOfChart = name === 'crm_manage_dashboards' && action === 'create';
      const right = isOfChart ? aChart : code === 'ok' ? asked : exampleIn(json.message);
      for (const argument of [...needs, ...takes])
        for (const wrong of ['nope', { nope: 1 }, ['nope']]) {
          const args = { ...(await filled(name, right)), [argument]: wrong };
          const { code: refused, json: told } = await ada.call(name, args);
          const example = refused === 'ok' ? null : exampleIn(told.message);
          if (example === null) continue;
          playedExamples++;
          const failure = await played(name, example);
          if (failure) failed.push(`${argument}=${JSON.stringify(wrong)}: ${failure}`);
        }
    }
    expect(failed).toEqual([]);
  },
);

it('has played examples of wrong arguments', () => {
  expect(playedExamples).toBeGreaterThan(100);
});

it.each([
  ['crm_find_records', { object_name: 'contacts', record_id: 'x' }, 'crm_find_records'],
  ['crm_manage_tasks', { action: 'get', task_id: 'x' }, 'crm_manage_tasks list'],
  ['crm_inbox', { action: 'get_thread', thread_id: 'x' }, 'crm_inbox list_threads'],
  ['crm_manage_lists', { action: 'get', list_id: 'x' }, 'crm_manage_lists list'],
  ['crm_undo', { action: 'undo', change_set: 'x' }, 'crm_undo list'],
  [
    'crm_find_records',
    { object_name: 'contacts', filters: condition('owner', 'equals', 'Ada') },
    'crm_get_schema users',
  ],
])('%s %j says where ids come from', async (tool, args, source) => {
  expect((await ada.call(tool, args)).json.message).toMatch(new RegExp(`; ids come from ${source}$`));
});

it('names the records of a change by their ids or by what they match, never by both', async () => {
  const { id } = await ada.ask('crm_save_record', {
    action: 'create',
    object_name: 'contacts',
    values: { first_name: 'Only' },
  });
  const filters = condition('first_name', 'equals', 'Only');
  const refused = await ada.call('crm_bulk', { action: 'delete', object_name: 'contacts', filters });
  expect(exampleIn(refused.json.message)).toEqual({
    action: 'delete',
    object_name: 'contacts',
    filters,
    expected_count: 1,
  });
  await play('crm_bulk', refused);
  const { json } = await ada.call('crm_find_records', { object_name: 'contacts', record_id: id });
  expect(json.code).toBe('RECORD_NOT_FOUND');
});

it('takes the example of a relation that was given by a name to a search', async () => {
  const values = { name: 'X', company_id: 'Globex' };
  const { json } = await ada.call('crm_save_record', { action: 'create', object_name: 'opportunities', values });
  const [, tool = '', args = ''] = /(crm_\w+) with (\{.*?\}) looks for it/.exec(json.message) ?? [];
  expect((await ada.call(tool, JSON.parse(args))).code).toBe('ok');
});
