/** Every operation is the same by REST and by its tool: what it answers, and how it refuses, whoever asks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { tools } from '../../src/tools/tools.ts';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { apply } from '../api/records.ts';
import { account, email } from '../api/sending.ts';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

/** Operations of the interface that no tool performs, and why. */
const withoutTool: Readonly<Record<string, string>> = {
  'openapi.get': 'It describes the REST interface; tools are described by their own list.',
  'manifest.pull': 'To change the workspace itself is for its admins at the command line.',
  'manifest.apply': 'To change the workspace itself is for its admins at the command line.',
  'inbox.mark': 'It is never supported; crm_mark_email marks in the mailbox.',
  'records.import': 'crm_import_records has a review of its own; rows at hand go through crm_bulk.',
  'records.upsert': 'crm_bulk upserts one record as well as many.',
  'notifications.list': 'Notifications are for people: an agent is told by what it asks.',
  'notifications.stream': 'Notifications are for people: an agent is told by what it asks.',
  'notifications.mark': 'Notifications are for people: an agent does not read them in their place.',
  'notifications.markAll': 'Notifications are for people: an agent does not read them in their place.',
  'imports.failedRows': 'It is a file; crm_import_records tells why rows failed.',
  'listEntry.update': 'A list takes entry_fields when a record is added; changing them is for people.',
  'events.list': 'It is for programs that follow along; crm_undo tells what was done.',
  'events.stream': 'It is for programs that follow along; crm_undo tells what was done.',
  'trash.purge': 'What nothing brings back is not for agents.',
  'changeSet.get': 'crm_undo lists change sets, each in full.',
  'dashboard.get': 'crm_manage_dashboards lists dashboards, each in full.',
  'chart.delete': 'A chart is taken off by people; an agent adds, and deletes a whole dashboard.',
};

/** To connect programs is for the admins of a workspace. */
const ofWebhooks = (id: string) => id.startsWith('webhook.') || id === 'webhooks.list';

const performed = new Set(tools.flatMap(({ actions }) => [...actions.values()].map(({ operation }) => operation.id)));

it('gives every operation of the interface a tool, or says why it has none', () => {
  const ids = new Set(routes.map(({ operation }) => operation.id));
  const missing = [...ids].filter((id) => !performed.has(id) && withoutTool[id] === undefined && !ofWebhooks(id));
  const needless = Object.keys(withoutTool).filter((id) => performed.has(id) || !ids.has(id));
  expect({ missing, needless }).toEqual({ missing: [], needless: [] });
});

interface Ids {
  readonly [name: string]: string;
}

interface Pair {
  /** The operation. */
  readonly id: string;
  rest(client: Client, ids: Ids): Promise<Reply>;
  tool(agent: Agent, ids: Ids): ReturnType<Agent['call']>;
  /** Whether both can be asked one after the other and answer the same. */
  readonly twice?: false;
}

const pair = (id: string, rest: Pair['rest'], tool: string, args: (ids: Ids) => object, twice?: false): Pair => ({
  id,
  rest,
  tool: (agent, ids) => agent.call(tool, { ...args(ids) }),
  ...(twice === false && { twice }),
});
const get =
  (path: (ids: Ids) => string, query: object = {}) =>
  (client: Client, ids: Ids) =>
    client.get(path(ids), { ...query });
const post = (path: string, body: (ids: Ids) => object) => (client: Client, ids: Ids) => client.post(path, body(ids));
const contacts = { object_name: 'contacts' };
const filters = { type: 'AND', conditions: [{ field: 'last_name', operator: 'equals', value: 'Berg' }] };

const pairs: readonly Pair[] = [
  pair(
    'me.get',
    get(() => '/me'),
    'crm_get_schema',
    () => ({ action: 'me' }),
  ),
  pair(
    'me.permissions',
    get(() => '/me/permissions'),
    'crm_get_schema',
    () => ({ action: 'permissions' }),
  ),
  pair(
    'users.list',
    get(() => '/users'),
    'crm_get_schema',
    () => ({ action: 'users' }),
  ),
  pair(
    'integrations.status',
    get(() => '/integrations/status'),
    'crm_get_schema',
    () => ({ action: 'integrations' }),
  ),
  pair(
    'schema.list',
    get(() => '/schema', { brief: true }),
    'crm_get_schema',
    () => ({}),
  ),
  pair(
    'schema.get',
    get(() => '/schema/contacts'),
    'crm_get_schema',
    () => contacts,
  ),
  pair(
    'pipelines.list',
    get(() => '/pipelines'),
    'crm_get_schema',
    () => ({ action: 'pipelines' }),
  ),
  pair(
    'records.list',
    get(() => '/records/contacts', { filters }),
    'crm_find_records',
    () => ({ ...contacts, filters }),
  ),
  pair(
    'records.get',
    get(({ anna }) => `/records/contacts/${anna}`),
    'crm_find_records',
    ({ anna }) => ({
      ...contacts,
      record_id: anna,
    }),
  ),
  pair(
    'everything.search',
    get(() => '/search', { query: 'berg', limit: 20 }),
    'crm_global_search',
    () => ({ query: 'berg' }),
  ),
  pair(
    'records.aggregate',
    get(() => '/aggregate/contacts', { field: 'id', function: 'COUNT', group_by: 'last_name' }),
    'crm_aggregate_records',
    () => ({ ...contacts, field: 'id', function: 'COUNT', group_by: 'last_name' }),
  ),
  pair(
    'records.export',
    get(() => '/export/contacts', { limit: 500 }),
    'crm_export_records',
    () => contacts,
  ),
  pair(
    'records.create',
    post('/records/contacts', () => ({ first_name: 'Zoe' })),
    'crm_save_record',
    () => ({
      action: 'create',
      ...contacts,
      values: { first_name: 'Zoe' },
    }),
  ),
  pair(
    'records.update',
    (client, { anna }) => client.put(`/records/contacts/${anna}`, { job_title: 'CEO' }),
    'crm_save_record',
    ({ anna }) => ({ action: 'update', ...contacts, record_id: anna, values: { job_title: 'CEO' } }),
  ),
  pair(
    'records.delete',
    (client, { hers }) => client.delete(`/records/contacts/${hers}`),
    'crm_save_record',
    ({ his }) => ({ action: 'delete', ...contacts, record_id: his }),
  ),
  pair(
    'records.restore',
    (client, { hers }) => client.post(`/records/contacts/${hers}/restore`),
    'crm_save_record',
    ({ his }) => ({ action: 'restore', ...contacts, record_id: his }),
  ),
  pair(
    'pipelines.move',
    (client, { deal }) => client.put(`/pipelines/opportunities/${deal}/move`, { pipeline_step_id: 'Qualified' }),
    'crm_save_record',
    ({ deal }) => ({ action: 'move', object_name: 'opportunities', record_id: deal, pipeline_step_id: 'Qualified' }),
  ),
  pair(
    'pipelines.history',
    get(({ deal }) => `/pipelines/opportunities/${deal}/history`),
    'crm_undo',
    ({ deal }) => ({
      action: 'steps',
      object_name: 'opportunities',
      record_id: deal,
    }),
  ),
  pair(
    'records.history',
    get(({ anna }) => `/records/contacts/${anna}/history`),
    'crm_undo',
    ({ anna }) => ({
      action: 'history',
      ...contacts,
      record_id: anna,
    }),
  ),
  pair(
    'trash.list',
    get(() => '/trash/contacts'),
    'crm_undo',
    () => ({ action: 'trash', ...contacts }),
  ),
  pair(
    'changeSets.list',
    get(() => '/change-sets'),
    'crm_undo',
    () => ({ action: 'list' }),
  ),
  pair(
    'changeSet.undo',
    post('/undo', ({ gone }) => ({ change_set: gone })),
    'crm_undo',
    ({ gone }) => ({
      action: 'undo',
      change_set: gone,
    }),
  ),
  pair(
    'bulk.update',
    post('/bulk', ({ anna }) => ({
      action: 'update_field',
      ...contacts,
      field_name: 'job_title',
      field_value: 'CEO',
      record_ids: [anna],
    })),
    'crm_bulk',
    ({ anna }) => ({
      action: 'update_field',
      ...contacts,
      field_name: 'job_title',
      field_value: 'CEO',
      record_ids: [anna],
    }),
  ),
  pair(
    'records.batchCreate',
    post('/records/contacts/batch/create', () => ({ records: [{ first_name: 'Yan' }] })),
    'crm_bulk',
    () => ({ action: 'create', ...contacts, records: [{ first_name: 'Yan' }] }),
  ),
  pair(
    'records.batchUpsert',
    (client) =>
      client.post('/records/contacts/batch/upsert', { match: 'emails', records: [{ emails: 'anna@x.test' }] }),
    'crm_bulk',
    () => ({ action: 'upsert', ...contacts, match: 'emails', records: [{ emails: 'anna@x.test' }] }),
  ),
  pair(
    'jobs.get',
    get(({ gone }) => `/jobs/${gone}`),
    'crm_bulk',
    ({ gone }) => ({ action: 'status', job_id: gone }),
  ),
  pair(
    'records.duplicates',
    post('/duplicates', () => contacts),
    'crm_duplicates',
    () => ({ action: 'detect', ...contacts }),
  ),
  pair(
    'imports.analyze',
    post('/import-jobs', () => ({ ...contacts, ...file })),
    'crm_import_records',
    () => ({
      action: 'analyze',
      ...contacts,
      ...file,
    }),
  ),
  ...(['preview', 'execute', 'cancel'] as const).map((action) =>
    pair(
      `imports.${action}`,
      (client, { gone }) => client.post(`/import-jobs/${gone}/${action}`, {}),
      'crm_import_records',
      ({ gone }) => ({ action, import_job_id: gone }),
    ),
  ),
  pair(
    'imports.get',
    get(({ gone }) => `/import-jobs/${gone}`),
    'crm_import_records',
    ({ gone }) => ({
      action: 'status',
      import_job_id: gone,
    }),
  ),
  pair(
    'tasks.list',
    get(() => '/tasks', { priority: 'urgent' }),
    'crm_manage_tasks',
    () => ({
      action: 'list',
      priority_filter: 'urgent',
    }),
  ),
  pair(
    'task.get',
    get(({ task }) => `/tasks/${task}`),
    'crm_manage_tasks',
    ({ task }) => ({ action: 'get', task_id: task }),
  ),
  pair(
    'task.create',
    post('/tasks', () => ({ title: 'New' })),
    'crm_manage_tasks',
    () => ({ action: 'create', title: 'New' }),
  ),
  pair(
    'task.update',
    (client, { task }) => client.put(`/tasks/${task}`, { priority: 'low' }),
    'crm_manage_tasks',
    ({ task }) => ({
      action: 'update',
      task_id: task,
      priority: 'low',
    }),
  ),
  pair(
    'task.complete',
    (client, { task }) => client.put(`/tasks/${task}/complete`, {}),
    'crm_manage_tasks',
    ({ task }) => ({
      action: 'complete',
      task_id: task,
    }),
  ),
  pair(
    'task.delete',
    (client, { gone }) => client.delete(`/tasks/${gone}`),
    'crm_manage_tasks',
    ({ gone }) => ({
      action: 'delete',
      task_id: gone,
    }),
  ),
  pair(
    'tasks.stats',
    get(() => '/tasks/stats'),
    'crm_task_stats',
    () => ({}),
  ),
  pair(
    'notes.list',
    get(() => '/notes'),
    'crm_manage_notes',
    () => ({ action: 'list' }),
  ),
  pair(
    'note.get',
    get(({ note }) => `/notes/${note}`),
    'crm_manage_notes',
    ({ note }) => ({ action: 'get', note_id: note }),
  ),
  pair(
    'note.create',
    post('/notes', () => ({ content: 'x' })),
    'crm_manage_notes',
    () => ({ action: 'create', content: 'x' }),
  ),
  pair(
    'note.update',
    (client, { note }) => client.put(`/notes/${note}`, { content: 'y' }),
    'crm_manage_notes',
    ({ note }) => ({
      action: 'update',
      note_id: note,
      content: 'y',
    }),
  ),
  pair(
    'note.delete',
    (client, { gone }) => client.delete(`/notes/${gone}`),
    'crm_manage_notes',
    ({ gone }) => ({
      action: 'delete',
      note_id: gone,
    }),
  ),
  pair(
    'activity.record',
    get(({ anna }) => `/activity/contacts/${anna}`),
    'crm_find_activity',
    ({ anna }) => ({
      ...contacts,
      record_id: anna,
    }),
  ),
  pair(
    'meetings.list',
    get(() => '/meetings', { start_date: '2026-01-01', end_date: '2026-12-31' }),
    'crm_find_events',
    () => ({
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    }),
  ),
  pair(
    'inbox.threads',
    get(() => '/inbox/threads'),
    'crm_inbox',
    () => ({ action: 'list_threads' }),
  ),
  pair(
    'inbox.thread',
    get(({ thread }) => `/inbox/threads/${thread}`),
    'crm_inbox',
    ({ thread }) => ({
      action: 'get_thread',
      thread_id: thread,
    }),
  ),
  pair(
    'inbox.interaction',
    get(({ message }) => `/interactions/${message}`),
    'crm_inbox',
    ({ message }) => ({
      action: 'get_interaction',
      interaction_id: message,
    }),
  ),
  pair(
    'message.preview',
    post('/messages/preview', () => letter),
    'crm_send_message',
    () => ({ action: 'preview', ...letter }),
  ),
  pair(
    'message.send',
    post('/messages/send', () => letter),
    'crm_send_message',
    () => ({ action: 'send', ...letter }),
  ),
  pair(
    'thread.mark',
    (client, { thread }) => client.post(`/inbox/threads/${thread}/mark`, { action: 'read' }),
    'crm_mark_email',
    ({ thread }) => ({ action: 'read', thread_id: thread }),
  ),
  pair(
    'lists.list',
    get(() => '/lists'),
    'crm_manage_lists',
    () => ({ action: 'list' }),
  ),
  pair(
    'list.get',
    get(({ list }) => `/lists/${list}`),
    'crm_manage_lists',
    ({ list }) => ({ action: 'get', list_id: list }),
  ),
  pair(
    'list.create',
    post('/lists', () => ({ name: 'L', object_types: ['contacts'] })),
    'crm_create_list',
    () => ({
      name: 'L',
      object_types: ['contacts'],
    }),
  ),
  pair(
    'list.update',
    (client, { list }) => client.put(`/lists/${list}`, { color: 'red' }),
    'crm_manage_lists',
    ({ list }) => ({
      action: 'update',
      list_id: list,
      color: 'red',
    }),
  ),
  pair(
    'list.delete',
    (client, { gone }) => client.delete(`/lists/${gone}`),
    'crm_manage_lists',
    ({ gone }) => ({
      action: 'delete',
      list_id: gone,
    }),
  ),
  pair(
    'listEntries.list',
    get(({ list }) => `/lists/${list}/entries`),
    'crm_manage_lists',
    ({ list }) => ({
      action: 'get_entries',
      list_id: list,
    }),
  ),
  ...(['add', 'remove'] as const).map((action) =>
    pair(
      `listEntries.${action}`,
      (client, { list, anna }) =>
        client.post(`/lists/${list}/entries${action === 'add' ? '' : '/remove'}`, {
          object_type: 'contacts',
          record_ids: [anna],
        }),
      'crm_manage_lists',
      ({ list, anna }) => ({ action, list_id: list, object_type: 'contacts', record_ids: [anna] }),
      false,
    ),
  ),
  pair(
    'dashboards.list',
    get(() => '/dashboards'),
    'crm_manage_dashboards',
    () => ({ action: 'list' }),
  ),
  pair(
    'dashboard.create',
    post('/dashboards', () => ({ name: 'D' })),
    'crm_manage_dashboards',
    () => ({
      action: 'create',
      dashboard_name: 'D',
    }),
  ),
  pair(
    'dashboard.compute',
    get(({ dashboard }) => `/dashboards/${dashboard}/data`),
    'crm_manage_dashboards',
    ({ dashboard }) => ({
      action: 'data',
      dashboard_id: dashboard,
    }),
  ),
  pair(
    'chart.create',
    (client, { dashboard }) => client.post(`/dashboards/${dashboard}/charts`, chart),
    'crm_manage_dashboards',
    ({ dashboard }) => ({ action: 'add_chart', dashboard_id: dashboard, ...chart }),
    false,
  ),
  pair(
    'dashboard.delete',
    (client, { gone }) => client.delete(`/dashboards/${gone}`),
    'crm_manage_dashboards',
    ({ gone }) => ({
      action: 'delete',
      dashboard_id: gone,
    }),
  ),
];
const chart = { title: 'Contacts', object_name: 'contacts', chart_type: 'indicator' };
const file = { data: 'first_name\nWilma\n', format: 'csv' };
const letter = email({ subject: 'Offer' });

it('tries every operation that a tool performs', () => {
  expect(new Set(pairs.map(({ id }) => id))).toEqual(performed);
});

describe('every operation', () => {
  let kith: TestKith;
  const people: Record<string, { readonly client: Client; readonly agent: Agent }> = {};
  const ids: Record<string, string> = { gone: '0190f6c1-0000-7000-8000-000000000000' };

  beforeAll(async () => {
    kith = await startKith();
    const organization = await kith.organization();
    const agentOf = agents(kith);
    const { admin } = organization;
    await apply(admin, {
      roles: [
        {
          name: 'Restricted',
          permissions: {
            '*': { view: 'none', create: false, update: 'none', delete: 'none' },
            contacts: { view: 'all', update: 'own', fields: { job_title: 'read', last_name: 'none' } },
          },
        },
      ],
    });
    const clients = { Admin: admin };
    for (const role of ['Member', 'Viewer', 'Restricted'])
      Object.assign(clients, { [role]: await organization.user(role) });
    for (const [role, client] of Object.entries(clients)) people[role] = { client, agent: agentOf(client) };
    const user = await emailOf(admin);
    await ingest(kith, organization, [
      account(user, ['email']),
      messageLine(user, 'm-1', { from: 'anna@x.test' }),
      { kind: 'event', user, external_id: 'e-1', title: 'Demo', start_time: '2026-05-02T13:00:00Z', attendees: [] },
    ]);
    const made = async (path: string, body: object) => (await admin.post(path, body)).json;
    const contact = (values: object) => made('/records/contacts', { last_name: 'Berg', ...values });
    ids.anna = (await contact({ first_name: 'Anna', emails: 'anna@x.test' })).id;
    ids.deal = (await made('/records/opportunities', { name: 'Deal' })).id;
    ids.task = (await made('/tasks', { title: 'Do', priority: 'urgent' })).task_id;
    ids.note = (await made('/notes', { content: 'Hello', data: { visibility: 'workspace' } })).note_id;
    ids.list = (await made('/lists', { name: 'All', object_types: ['contacts'] })).id;
    ids.dashboard = (await made('/dashboards', { name: 'D' })).id;
    ids.thread = (await admin.get('/inbox/threads')).json.data[0].id;
    ids.message = (await admin.get(`/inbox/threads/${ids.thread}`)).json.messages[0].id;
    // One for each way, so that both ways find it as it was.
    [ids.hers, ids.his] = [(await contact({ first_name: 'Twin' })).id, (await contact({ first_name: 'Twin' })).id];
  });
  afterAll(() => kith.stop());

  /** Without what is another each time: ids, times, tokens. */
  const plain = (json: unknown): unknown =>
    JSON.parse(
      JSON.stringify(json ?? null)
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/"(confirm_token|nextCursor)":"[^"]*"/g, '"$1":"TOKEN"'),
    );
  const refusal = ({ code, available_values, field_errors }: Record<string, unknown>) => ({
    code,
    available_values,
    fields: (field_errors as { field: string }[] | undefined)?.map(({ field }) => field),
  });

  it.each(pairs.map((one) => [one.id, one] as const))('%s', async (_id, { rest, tool, twice }) => {
    for (const [role, { client, agent }] of Object.entries(people)) {
      const byTool = await tool(agent, ids);
      const byRest = await rest(client, ids);
      const isRefused = byRest.status >= 400;
      if (isRefused) expect([role, refusal(byTool.json)]).toEqual([role, refusal(byRest.json)]);
      else if (twice === false)
        expect([role, byTool.code, Object.keys(byTool.json)]).toEqual([role, 'ok', Object.keys(byRest.json)]);
      else expect([role, byTool.code, plain(byTool.json)]).toEqual([role, 'ok', plain(byRest.json)]);
    }
  });
});
