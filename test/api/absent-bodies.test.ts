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
    PUT /users/:id: PERMISSION_DENIED Changing a user is for a signed-in person or the command line of the machine: no token may
    POST /invitations: PERMISSION_DENIED Inviting somebody is for a signed-in person or the command line of the machine: no token may
    POST /tokens: PERMISSION_DENIED Creating a token is for a signed-in person or the command line of the machine: no token may
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

const withoutTime = (text: string) => text.replace(/"updated_at":"[^"]*"/, '');
