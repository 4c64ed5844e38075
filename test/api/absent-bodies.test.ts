/** A request without a body: what has to be said is asked for, and what has a usual is taken as said. */
import { expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import { admin, useStage } from './stage.ts';

useStage(async () => {});

const nobody = '0190f6c1-0000-7000-8000-000000000000';
const places = routes.filter(({ body }) => body !== undefined);
const pathOf = (path: string) => path.replace(':object', 'opportunities').replaceAll(/:\w+/g, nobody);

it('is told what it lacks, or that there is nothing to do it to', async () => {
  const answers: string[] = [];
  for (const { method, path } of places) {
    const { json } = await admin.send(`/api/v1${pathOf(path)}`, { method });
    answers.push(`${method} ${path}: ${json.code} ${json.message}`);
  }
  expect(answers.join('\n').replaceAll(nobody, 'ID')).toMatchInlineSnapshot(`
    "PUT /workspace: VALIDATION_ERROR A JSON object is needed as the body
    PUT /users/:id: PERMISSION_DENIED Changing a user requires a signed-in person or the command line; tokens are not allowed
    POST /invitations: PERMISSION_DENIED Inviting somebody requires a signed-in person or the command line; tokens are not allowed
    POST /tokens: PERMISSION_DENIED Creating a token requires a signed-in person or the command line; tokens are not allowed
    POST /accounts: VALIDATION_ERROR A JSON object is needed as the body
    POST /manifest: VALIDATION_ERROR A JSON object is needed as the body
    POST /records/:object: VALIDATION_ERROR A JSON object is needed as the body
    PUT /records/:object: VALIDATION_ERROR A JSON object is needed as the body
    PUT /records/:object/:id: VALIDATION_ERROR A JSON object is needed as the body
    PATCH /records/:object/:id: VALIDATION_ERROR A JSON object is needed as the body
    POST /records/:object/batch/create: MISSING_REQUIRED_FIELD records is required: the body is { "records": [ … ] }
    POST /records/:object/batch/upsert: MISSING_REQUIRED_FIELD records is required: the body is { "records": [ … ] }
    POST /bulk: MISSING_REQUIRED_FIELD action is required
    POST /notes: MISSING_REQUIRED_FIELD content is required
    PUT /notes/:id: VALIDATION_ERROR A JSON object is needed as the body
    POST /tasks: VALIDATION_ERROR title is required
    PUT /tasks/:id: VALIDATION_ERROR A JSON object is needed as the body
    PUT /tasks/:id/complete: RECORD_NOT_FOUND No record "ID" in tasks
    PUT /notifications: MISSING_REQUIRED_FIELD read is required
    PUT /notifications/:id: MISSING_REQUIRED_FIELD read is required
    PUT /pipelines/:object/:id/move: MISSING_REQUIRED_FIELD pipeline_step_id is required
    PUT /inbox/threads/:id: NOT_SUPPORTED Threads have no read state over REST: nothing was changed
    POST /inbox/threads/:id/mark: MISSING_REQUIRED_FIELD action is required
    POST /messages/preview: MISSING_REQUIRED_FIELD channel is required
    POST /messages/send: MISSING_REQUIRED_FIELD channel is required
    POST /lists: MISSING_REQUIRED_FIELD name is required
    PUT /lists/:id: VALIDATION_ERROR A JSON object is needed as the body
    POST /lists/:id/entries: MISSING_REQUIRED_FIELD object_type is required
    DELETE /lists/:id/entries: MISSING_REQUIRED_FIELD object_type is required
    POST /lists/:id/entries/remove: MISSING_REQUIRED_FIELD object_type is required
    PUT /lists/:id/entries/:entry_id: MISSING_REQUIRED_FIELD entry_fields is required
    POST /dashboards: MISSING_REQUIRED_FIELD name is required
    POST /dashboards/:id/charts: MISSING_REQUIRED_FIELD title is required
    POST /views: MISSING_REQUIRED_FIELD object_name is required
    PUT /views/:id: VALIDATION_ERROR A JSON object is needed as the body
    POST /undo: MISSING_REQUIRED_FIELD change_set is required
    POST /import/:object: MISSING_REQUIRED_FIELD records is required: the body is { "records": [ … ] }
    POST /import-jobs: MISSING_REQUIRED_FIELD object_name is required
    POST /import-jobs/:id/preview: RECORD_NOT_FOUND There is no job "ID"
    POST /import-jobs/:id/execute: RECORD_NOT_FOUND There is no job "ID"
    POST /duplicates: MISSING_REQUIRED_FIELD object_name is required
    POST /webhooks: MISSING_REQUIRED_FIELD url is required
    PUT /webhooks/:id: VALIDATION_ERROR A JSON object is needed as the body
    POST /webhooks/:id/replay: VALIDATION_ERROR Give either delivery_ids or since: what is to be sent again"
  `);
});

it('is another thing than one that says nothing: with {} all stays as it is', async () => {
  const { id: list } = (await admin.post('/lists', { name: 'All', object_types: ['contacts'] })).json;
  const { id: view } = (await admin.post('/views', { name: 'All', object_name: 'contacts' })).json;
  const { note_id: note } = (await admin.post('/notes', { content: '<p>Said</p>' })).json;
  const { task_id: task } = (await admin.post('/tasks', { title: 'Call' })).json;
  const { id: record } = (await admin.post('/records/contacts', { first_name: 'Ada' })).json;
  const paths = ['/workspace', `/lists/${list}`, `/views/${view}`, `/notes/${note}`, `/tasks/${task}`];
  for (const path of [...paths, `/records/contacts/${record}`]) {
    const before = await admin.get(path);
    expect([path, before.status, (await admin.put(path, {})).status]).toEqual([path, 200, 200]);
    expect(withoutTime((await admin.get(path)).text)).toBe(withoutTime(before.text));
  }
});

it('takes null for what need not be given and cannot be empty as if it were absent', async () => {
  const { id } = (await admin.post('/records/contacts', { first_name: 'Null' })).json;
  const { id: deal } = (await admin.post('/records/opportunities', { name: 'Null' })).json;
  const { task_id: task } = (await admin.post('/tasks', { title: 'Call' })).json;
  const { id: list } = (await admin.post('/lists', { name: 'Nulls', object_types: ['contacts'] })).json;
  const { pipelines } = (await admin.get('/pipelines')).json;
  const [{ steps }] = pipelines;
  const relation = { relation_field: 'contacts', target_ids: [id] };
  const bulk = { action: 'add_relation', object_name: 'opportunities', record_ids: [deal] };
  const sent: [method: string, path: string, body: object, nulls: readonly string[]][] = [
    ['POST', '/lists', { name: 'L', object_types: ['contacts'] }, ['fields', 'record_ids', 'object_type']],
    ['POST', `/lists/${list}/entries`, { object_type: 'contacts', record_id: id }, ['record_ids', 'entry_fields']],
    ['POST', '/views', { name: 'V', object_name: 'contacts' }, ['layout', 'is_shared', 'is_draft', 'position']],
    ['POST', '/dashboards', { name: 'D' }, ['charts']],
    [
      'POST',
      '/notes',
      { content: '<p>N</p>' },
      ['entity_type', 'entity_id', 'linked_entities', 'mentioned_user_ids', 'data'],
    ],
    ['POST', '/tasks', { title: 'T' }, ['due_date', 'linked_entities']],
    ['PUT', `/tasks/${task}/complete`, {}, ['completed']],
    ['PUT', `/pipelines/opportunities/${deal}/move`, { pipeline_step_id: steps[1].id }, ['pipeline_id']],
    [
      'POST',
      '/bulk',
      { ...bulk, ...relation },
      ['field_name', 'target_object', 'junction_data', 'filters', 'expected_count'],
    ],
    ['POST', '/duplicates', { object_name: 'contacts' }, ['fields', 'limit', 'normalize', 'merge_strategy', 'values']],
    ['POST', '/import/contacts', { records: [{ first_name: 'I' }] }, ['format', 'encoding', 'file_name']],
    [
      'POST',
      '/import-jobs',
      { object_name: 'contacts', data: 'First name\nA\n' },
      ['format', 'encoding', 'has_header'],
    ],
    ['POST', '/webhooks', { url: 'https://hooks.example.com/a' }, ['events', 'objects', 'description']],
  ];
  for (const [method, path, body, nulls] of sent) {
    const text = JSON.stringify({ ...body, ...Object.fromEntries(nulls.map((key) => [key, null])) });
    const headers = { 'content-type': 'application/json' };
    const reply = await admin.send(`/api/v1${path}`, { method, body: text, headers });
    expect([path, reply.status < 300, reply.text]).toEqual([path, true, reply.text]);
  }
});

it('takes it so at any depth', async () => {
  const chart = { title: 'C', object_name: 'contacts', aggregation: 'COUNT', chart_type: 'indicator' };
  const job = await admin.post('/import-jobs', { object_name: 'contacts', data: 'First name\nDeep\n' });
  const mapping = [{ column: 'First name', action: 'map', field: 'first_name', number_format: null }];
  for (const [path, body] of [
    ['/notes', { content: '<p>N</p>', data: { visibility: null } }],
    ['/dashboards', { name: 'Deep', charts: [{ ...chart, group_by: null, filters: null }] }],
    ['/lists', { name: 'Deep', object_types: ['contacts'], fields: [{ name: 'role', type: 'TEXT', label: null }] }],
    [
      `/import-jobs/${job.json.import_job_id}/preview`,
      { mapping, import_options: { duplicate_strategy: null, duplicate_fields: null } },
    ],
  ] as const) {
    const reply = await admin.post(path, body);
    expect([path, reply.status < 300, reply.text]).toEqual([path, true, reply.text]);
  }
});

it('but refuses it in a change of what is there, which it could be meant to empty', async () => {
  const { id: list } = (await admin.post('/lists', { name: 'Kept', object_types: ['contacts'] })).json;
  const { id: view } = (await admin.post('/views', { name: 'Kept', object_name: 'contacts' })).json;
  const { id: hook } = (await admin.post('/webhooks', { url: 'https://hooks.example.com/b' })).json;
  const { task_id: task } = (await admin.post('/tasks', { title: 'Kept' })).json;
  const sent: [path: string, key: string][] = [
    [`/lists/${list}`, 'name'],
    [`/views/${view}`, 'name'],
    [`/webhooks/${hook}`, 'events'],
    [`/tasks/${task}`, 'linked_entities'],
    ['/workspace', 'currency'],
  ];
  for (const [path, key] of sent) {
    const { json } = await admin.put(path, { [key]: null });
    expect([path, json.code, json.field_errors?.map(({ field }: { field: string }) => field)]).toEqual([
      path,
      'VALIDATION_ERROR',
      [key],
    ]);
  }
});

const withoutTime = (text: string) => text.replace(/"updated_at":"[^"]*"/, '');
