/** [decisions: Writing] What has to have a name has one that can be seen: white space alone is none, in every place and on every way in. */
import { describe, expect, it } from 'vitest';
import { create, expectError, list } from './records.ts';
import { admin, useStage } from './stage.ts';

const blanks = ['', ' ', ' \t\n ', '\u00a0\u3000'];
let company: string;
let task: string;

useStage(async () => {
  company = (await create(admin, 'companies', { name: 'Kept' })).id;
  task = (await admin.post('/tasks', { title: 'Kept' })).json.task_id;
});

describe.each(blanks)('%j', (name) => {
  const required = [{ field: 'name', message: 'name is required' }];

  it('is no name of a new record, nor of one that is there', async () => {
    for (const reply of [
      await admin.post('/records/companies', { name }),
      await admin.put(`/records/companies/${company}`, { name }),
    ]) {
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.field_errors).toEqual(required);
    }
  });

  it('is none for records of a batch, an upsert, a bulk change or an import', async () => {
    const batch = await admin.post('/records/companies/batch/create', { records: [{ name }] });
    expect(batch.json).toMatchObject({ created: 0, failed: 1, errors: [{ index: 0, field_errors: required }] });
    const upsert = await admin.put('/records/companies?match=phones', { name, phones: '+49 30 1' });
    expect(upsert.json.field_errors).toEqual(required);
    const bulk = { action: 'update_field', object_name: 'companies', record_ids: [company] };
    const changed = await admin.post('/bulk', { ...bulk, field_name: 'name', field_value: name });
    expect(changed.json).toMatchObject({
      updated: 0,
      failed: 1,
      errors: [{ id: company, reason: 'name is required' }],
    });
    const imported = await admin.post('/import/companies', { records: [{ name }] });
    expect(imported.json).toMatchObject({ created: 0, failed: 1, errors: [{ index: 0, error: 'name is required' }] });
  });

  it('is no title of a task, and no content of a note', async () => {
    for (const reply of [
      await admin.post('/tasks', { title: name }),
      await admin.put(`/tasks/${task}`, { title: name }),
    ]) {
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.field_errors).toEqual([{ field: 'title', message: 'title is required' }]);
    }
    expectError(await admin.post('/notes', { content: `<p>${name}</p>` }), 'MISSING_REQUIRED_FIELD');
  });

  it('is no name of a list, a view, a dashboard or a chart', async () => {
    const chart = { title: name, object_name: 'companies', aggregation: 'COUNT', chart_type: 'indicator' };
    const dashboard = (await admin.post('/dashboards', { name: 'Kept' })).json.dashboard_id;
    for (const reply of [
      await admin.post('/lists', { name, object_types: ['companies'] }),
      await admin.post('/views', { object_name: 'companies', name }),
      await admin.post('/dashboards', { name }),
      await admin.post(`/dashboards/${dashboard}/charts`, chart),
    ]) {
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.message).toMatch(/^(?:name|title) must not be empty$/);
    }
    expectError(await admin.post('/records/companies', { name: 'Listed', create_list_name: name }), 'VALIDATION_ERROR');
  });

  it('is no name or label in a manifest', async () => {
    const fields = [{ name: 'colour', type: 'SELECT', options: [{ value: name }] }];
    const parts: Record<string, object> = {
      'organization.name': { organization: { name } },
      'objects[0].label': { objects: [{ name: 'companies', label: name }] },
      'objects[0].fields[0].options[0].value': { objects: [{ name: 'companies', fields }] },
      'objects[0].fields[0].label': {
        objects: [{ name: 'companies', fields: [{ name: 'hue', type: 'TEXT', label: name }] }],
      },
      'roles[0].name': { roles: [{ name }] },
      'pipelines[0].name': { pipelines: [{ name, objectName: 'opportunities', steps: [{ name: 'Open' }] }] },
      'pipelines[0].steps[0].name': {
        pipelines: [{ name: 'Second', objectName: 'opportunities', steps: [{ name }] }],
      },
    };
    for (const [place, manifest] of Object.entries(parts)) {
      const reply = await admin.post('/manifest?dry_run=true', manifest);
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.field_errors).toEqual([{ field: place, message: `${place} must not be empty` }]);
    }
    const usual = { name: 'companies', fields: [{ name: 'name', defaultValue: name }] };
    const reply = await admin.post('/manifest?dry_run=true', { objects: [usual] });
    expect(reply.json.message).toBe('objects[0].fields[0].defaultValue is required');
  });
});

it('a name keeps the white space around it, and what need not be filled may be white space', async () => {
  const { id } = await create(admin, 'companies', { name: ' Kith ', description: '  ' });
  expect((await admin.get(`/records/companies/${id}`)).json.record).toMatchObject({
    name: ' Kith ',
    description: '  ',
  });
  expect((await list(admin, 'companies')).map(({ name }: { name: string }) => name).toSorted()).toEqual([
    ' Kith ',
    'Kept',
  ]);
});

it.each(['\u200b', '\u00ad\u2060', '\u0085', '\u180e'])(
  '%j, of which nothing can be seen, is no value of a required field',
  async (name) => {
    const required = [{ field: 'name', message: 'name is required' }];
    expect((await admin.post('/records/companies', { name })).json.field_errors).toEqual(required);
    expectError(await admin.post('/tasks', { title: name }), 'VALIDATION_ERROR');
  },
);

it('an address without any of its parts is no value of a required field, on every way in', async () => {
  const place = { name: 'place', type: 'ADDRESS', isRequired: true };
  const made = await admin.post('/manifest', { objects: [{ name: 'sites', label: 'Sites', fields: [place] }] });
  expect(made.status, made.text).toBe(200);
  const { id } = await create(admin, 'sites', { place: 'Main St 1' });
  const required = [{ field: 'place', message: 'place is required' }];
  for (const nothing of [{}, { street: ' ' }, { city: null }, { formatted: '\u00a0' }]) {
    const bulk = { action: 'update_field', object_name: 'sites', record_ids: [id], field_name: 'place' };
    for (const { field_errors: problems } of [
      (await admin.post('/records/sites', { place: nothing })).json,
      (await admin.put(`/records/sites/${id}`, { place: nothing })).json,
      (await admin.post('/records/sites/batch/create', { records: [{ place: nothing }] })).json.errors[0],
    ])
      expect(problems).toEqual(required);
    for (const { failed } of [
      (await admin.post('/bulk', { ...bulk, field_value: nothing })).json,
      (await admin.post('/import/sites', { records: [{ place: nothing }] })).json,
    ])
      expect(failed).toBe(1);
  }
  expect((await admin.get(`/records/sites/${id}`)).json.record.place.formatted).toBe('Main St 1');
});
