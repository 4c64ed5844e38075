/** Wrong calls lead to the right one: the nearest name, the values that there are, the action that needs it, and one call that is right. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tools } from '../../src/tools/tools.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let ada: Agent;
beforeAll(async () => {
  kith = await startKith();
  ada = agents(kith)((await kith.organization()).admin);
});
afterAll(() => kith.stop());

const exampleIn = (message: string) => JSON.parse(/For example: (\{.*\})$/.exec(message)?.[1] ?? 'null');

it.each([
  ['crm_find_records', { objectname: 'contacts' }, 'did you mean "object_name"', { object_name: 'contacts' }],
  [
    'crm_manage_tasks',
    { action: 'list', priority: 'urgent' },
    'priority belongs to create, update, not to list (did you mean "priority_filter"?)',
    { action: 'list', priority_filter: 'urgent' },
  ],
  [
    'crm_manage_tasks',
    { action: 'list', priority_filter: 'urgnt', limit: 5 },
    'must be one of low, medium, urgent',
    { action: 'list', priority_filter: 'urgent', limit: 5 },
  ],
  [
    'crm_aggregate_records',
    { object_name: 'contacts', field: 'id', function: 'COUNT', filter_field: 'tags', filter_operator: 'eqals' },
    'filter_operator must be',
    { object_name: 'contacts', field: 'id', function: 'COUNT', filter_field: 'tags', filter_operator: 'equals' },
  ],
  [
    'crm_find_events',
    { start_date: 'soon', end_date: '2026-02-01' },
    'start_date must be a day or a time',
    { action: 'list', start_date: '2026-01-01', end_date: '2026-02-01' },
  ],
  ['crm_save_record', { action: 'updat' }, 'did you mean "update"', { action: 'update' }],
  ['crm_save_record', {}, 'action is required', { action: 'create' }],
  ['crm_manage_notes', { action: 'create' }, 'create needs it', { action: 'create', content: 'Met Anna' }],
  [
    'crm_bulk',
    { action: 'create', object_name: 'contacts', records: 7 },
    'records must be an array',
    { action: 'create' },
  ],
  ['crm_find_records', { object_name: 'contacts', sort: 'name' }, '', undefined],
])('%s %j', async (tool, args, message, example) => {
  const { code, json } = await ada.call(tool, args);
  if (example === undefined) {
    expect(code).toBe('ok');
    return;
  }
  expect(json.message).toContain(message);
  expect(exampleIn(json.message)).toMatchObject(example);
});

it('gives an example of every action that needs something, which names all that it needs', async () => {
  let seen = 0;
  for (const { name, actions } of tools) {
    for (const action of actions.keys()) {
      const { code, json } = await ada.call(name, { action: actions.size > 1 ? action : undefined });
      if (code !== 'MISSING_REQUIRED_FIELD') continue;
      seen++;
      const example = exampleIn(json.message);
      const repeated = await ada.call(name, example);
      expect([name, action, repeated.code, repeated.json.message]).not.toContain('MISSING_REQUIRED_FIELD');
    }
  }
  expect(seen).toBeGreaterThan(40);
});

it('passes over what only pages or cuts an answer, and what is empty, and refuses what else an action does not take', async () => {
  const one = { action: 'me', cursor: '', limit: 5, max_tokens: 1_000, search: null };
  expect((await ada.call('crm_get_schema', one)).code).toBe('ok');
  const refused = await ada.call('crm_get_schema', { action: 'me', search: 'ada' });
  expect(refused.json).toMatchObject({ code: 'VALIDATION_ERROR', field_errors: [{ field: 'search' }] });
});

it('takes null and an empty text for nothing, except where null empties a field', async () => {
  const contacts = { object_name: 'contacts' };
  for (const nothing of [null, '']) {
    const calls: [string, Record<string, unknown>][] = [
      ['crm_find_records', { ...contacts, filters: nothing, sort: nothing, ids: nothing }],
      ['crm_export_records', { ...contacts, filters: nothing }],
      ['crm_aggregate_records', { ...contacts, field: 'id', function: 'COUNT', filters: nothing }],
      ['crm_global_search', { query: 'ada', filters: nothing }],
      ['crm_manage_tasks', { action: 'list', filters: nothing, priority_filter: nothing }],
      [
        'crm_manage_tasks',
        { action: 'create', title: 'T', priority: nothing, due_date: nothing, assigned_to_id: nothing },
      ],
    ];
    for (const [name, args] of calls) {
      const { code, json } = await ada.call(name, args);
      expect([name, nothing, code, json.message]).toEqual([name, nothing, 'ok', undefined]);
    }
  }
  const task = { action: 'create', title: 'Due', due_date: '2030-01-01T00:00:00Z', priority: 'low' };
  const { task_id } = (await ada.call('crm_manage_tasks', task)).json;
  const change = { action: 'update', task_id, title: 'Still due', due_date: null, priority: '' };
  expect((await ada.call('crm_manage_tasks', change)).code).toBe('ok');
  const { json } = await ada.call('crm_manage_tasks', { action: 'get', task_id });
  expect(json.task).toMatchObject({ title: 'Still due', due_date: null, priority: 'low' });
});

it('is not moved by arguments that no schema has', async () => {
  for (const { name } of tools) {
    for (const args of [
      { __proto__x: 1 },
      { constructor: 1 },
      { action: { a: 1 } },
      { action: 'toString' },
      { action: 5 },
    ]) {
      const { code } = await ada.call(name, { ...args });
      expect([name, args, code]).toEqual([
        name,
        args,
        expect.stringMatching(/^(VALIDATION_ERROR|MISSING_REQUIRED_FIELD)$/),
      ]);
    }
  }
});

it.each([
  ['crm_find_records', 'fields', { object_name: 'contacts' }],
  ['crm_find_records', 'filters', { object_name: 'contacts' }],
  ['crm_find_records', 'sort', { object_name: 'contacts' }],
  ['crm_find_records', 'filter_value', { object_name: 'contacts', filter_field: 'id', filter_operator: 'in' }],
  ['crm_save_record', 'values', { action: 'create', object_name: 'contacts' }],
  ['crm_send_message', 'to', { action: 'preview', channel: 'email', body: 'x', subject: 'x' }],
])('%s takes no text for %s that is longer than is read at one go', async (tool, name, args) => {
  const { code, json } = await ada.call(tool, { ...args, [name]: ','.repeat(65_537) });
  expect({ code, ...json }).toMatchObject({ code: 'VALIDATION_ERROR', field_errors: [{ field: name }] });
  expect(json.message).toContain(`${name} is longer than 65,536 characters`);
});

it('takes a long list of fields no more than their text, and content that is longer', async () => {
  const fields = Array.from({ length: 70_000 }, () => 'x');
  const refused = await ada.call('crm_find_records', { object_name: 'contacts', fields });
  expect(refused.json.message).toContain('fields is longer than 65,536 characters');
  const content = 'x'.repeat(70_000);
  expect((await ada.call('crm_manage_notes', { action: 'create', content })).code).toBe('ok');
});

it('takes as JSON text only what could be stored', async () => {
  for (const [values, problem] of [
    ['{"first_name":"a\\u0000"}', 'values contains a NUL character'],
    ['{"first_name":"\\ud800"}', 'values contains half of a surrogate pair'],
    [`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'values is nested deeper than 64 levels'],
    [`{"a":${'['.repeat(20_000)}1.0${']'.repeat(20_000)}}`, 'values is nested deeper than 64 levels'],
  ] as const) {
    const { code, json } = await ada.call('crm_save_record', { action: 'create', object_name: 'contacts', values });
    expect([code, json.message]).toEqual(['VALIDATION_ERROR', expect.stringContaining(problem)]);
  }
  const to = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
  const { code } = await ada.call('crm_send_message', { action: 'preview', channel: 'email', body: 'x', to });
  expect(code).toBe('VALIDATION_ERROR');
});

it.each([
  ['crm_manage_tasks', { action: 'list', due_date: null, priority: null, title: '' }],
  ['crm_find_records', { object_name: 'contacts', filter_field: null, filter_operator: null, filter_value: null }],
  [
    'crm_aggregate_records',
    { object_name: 'contacts', field: 'id', function: 'COUNT', filter_field: null, filter_value: null },
  ],
])('%s takes a null for what the call does not use as nothing: %j', async (tool, args) => {
  expect(await ada.call(tool, args)).toMatchObject({ code: 'ok' });
});

it('a task loses what null is given for', async () => {
  const { json } = await ada.call('crm_manage_tasks', { action: 'create', title: 'Ring', action_type: 'call' });
  const { task_id } = json;
  await ada.call('crm_manage_tasks', { action: 'update', task_id, action_type: null });
  const task = await ada.call('crm_manage_tasks', { action: 'get', task_id });
  expect(task.json.task.action_type).toBeNull();
});
