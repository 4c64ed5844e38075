/** [spec: Bulk] One change of many records, each standing on its own. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { rowsOf } from '../provision/setup.ts';
import type { Client } from '../support/kith.ts';
import { bulk, entriesOf, idsOf, inOrder, made, nobody, useBulkStage } from './bulk.ts';
import { create, createAll, expectError, fieldsIn, list, sortedIds } from './records.ts';
import { admin, kith, organization, table } from './stage.ts';

let rep: Client;
useBulkStage(async () => {
  rep = await organization.user('Rep');
});

const named = (names: readonly string[]) => names.map((name) => ({ name }));

describe('update_field', () => {
  it('BULK-01 to BULK-05, BULK-11, BULK-12, BULK-15: sets a field of all of them, with one entry of history each, in one change set', async () => {
    const ids = await made('companies', 3);
    const body = { action: 'update_field', object_name: 'companies', record_ids: ids };
    const { status, json } = await bulk({ ...body, field_name: 'employees', field_value: 12 });
    expect([status, json]).toEqual([200, { action: 'update_field', updated: 3, failed: 0, errors: [], total: 3 }]);
    const found = await list(admin, 'companies', {
      filters: { type: 'AND', conditions: [{ field: 'employees', operator: 'equals', value: 12 }] },
    });
    expect(sortedIds(found)).toEqual(inOrder(ids));
    const entries = await entriesOf(ids);
    expect(inOrder(entries.map(({ id }) => id))).toEqual(inOrder(ids));
    expect(new Set(entries.map(({ changeSet }) => changeSet)).size).toBe(1);
    expect(entries[0]?.operation).toBe('bulk.update');
    const emptied = await bulk({ ...body, field_name: 'employees', field_value: null });
    expect(emptied.json).toMatchObject({ updated: 3 });
    expect((await admin.get(`/records/companies/${ids[0]}`)).json.record.employees).toBeNull();
  });

  it('BULK-09, BULK-10: what the caller may not change or see is told by its id and reason, and the rest is changed', async () => {
    const [mine, other, hidden] = [
      await create(rep, 'contacts', { last_name: 'Mine' }),
      await create(admin, 'contacts', { last_name: 'Other' }),
      await create(admin, 'companies', { name: 'Hidden' }),
    ];
    const record_ids = [other.id, 'nothing', mine.id, nobody, hidden.id];
    const { status, json } = await bulk(
      { action: 'update_field', object_name: 'contacts', record_ids, field_name: 'job_title', field_value: 'Chef' },
      rep,
    );
    expect([status, json.updated, json.failed, json.total]).toEqual([200, 1, 4, 5]);
    expect(json.errors).toEqual([
      { id: other.id, reason: 'Your role may not change this record of contacts' },
      { id: 'nothing', reason: 'No record "nothing" in contacts' },
      { id: nobody, reason: `No record "${nobody}" in contacts` },
      { id: hidden.id, reason: `No record "${hidden.id}" in contacts` },
    ]);
    expect((await admin.get(`/records/contacts/${mine.id}`)).json.record.job_title).toBe('Chef');
    expect((await admin.get(`/records/contacts/${other.id}`)).json.record.job_title).toBeNull();
    const unseen = await bulk(
      {
        action: 'update_field',
        object_name: 'companies',
        record_ids: [hidden.id],
        field_name: 'name',
        field_value: 'x',
      },
      rep,
    );
    expect(unseen.json.errors).toEqual([{ id: hidden.id, reason: `No record "${hidden.id}" in companies` }]);
  });

  it('BULK-09: a record that its change takes out of the role’s reach stays, the others are changed', async () => {
    const ids = await made('contacts', 5, {}, rep);
    const body = { action: 'update_field', object_name: 'contacts', field_name: 'owner', record_ids: ids };
    // Whoever made a record keeps it: only those made by others go out of reach.
    await rowsOf(
      kith.database.database,
      sql`update ${table('contacts')} set created_by = ${admin.workspaceUserId}::uuid where id = any(${[ids[1]!, ids[3]!]}::uuid[])`,
    );
    const { json } = await bulk({ ...body, field_value: admin.workspaceUserId }, rep);
    expect(json).toMatchObject({ updated: 3, failed: 2, total: 5 });
    expect(json.errors.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[3]]);
    expect(json.errors[0].reason).toContain('out of its reach');
  });

  it('BULK-11: 50 of the failures are told', async () => {
    const record_ids = Array.from({ length: 60 }, (_, at) => `0190f6c1-5b1e-7c3a-9d2f-3e8a61b7${1000 + at}`);
    const [id] = await made('contacts', 1);
    const { json } = await bulk({
      action: 'update_field',
      object_name: 'contacts',
      record_ids: [...record_ids, id],
      field_name: 'job_title',
      field_value: 'x',
    });
    expect(json).toMatchObject({ updated: 1, failed: 60, total: 61 });
    expect(json.errors.map((error: { id: string }) => error.id)).toEqual(record_ids.slice(0, 50));
  });

  it('a value that is wrong is told of each record', async () => {
    const ids = await made('companies', 2);
    const body = { action: 'update_field', object_name: 'companies', record_ids: [...ids, nobody] };
    const wrong = (await bulk({ ...body, field_name: 'employees', field_value: 'many' })).json;
    expect(wrong).toMatchObject({ updated: 0, failed: 3, total: 3 });
    expect(wrong.errors[0].reason).toContain('employees must be');
    expect(wrong.errors[2].reason).toContain('No record');
    const required = (await bulk({ ...body, field_name: 'name', field_value: '' })).json;
    expect(required.errors[0]).toEqual({ id: ids[0], reason: 'name is required' });
    const owned = await made('companies', 1, {}, rep);
    const readOnly = await bulk({ ...body, record_ids: owned, field_name: 'employees', field_value: 1 }, rep);
    expect(readOnly.json.errors).toEqual([{ id: owned[0], reason: 'Your role may read employees, not change it' }]);
    const computed = await bulk({
      ...body,
      object_name: 'projects',
      record_ids: await made('projects', 1),
      field_name: 'shout',
      field_value: 'x',
    });
    expect(computed.json.errors[0].reason).toBe('shout is read-only');
    expect(await entriesOf(ids)).toEqual([]);
  });

  it('ids that are given twice are one record, which the answer says', async () => {
    const [a = '', b = ''] = await made('contacts', 2);
    const record_ids = [a, b, a.toUpperCase(), a];
    const { json } = await bulk({
      action: 'update_field',
      object_name: 'contacts',
      record_ids,
      field_name: 'job_title',
      field_value: 'Chef',
    });
    expect(json).toEqual({ action: 'update_field', updated: 2, failed: 0, errors: [], total: 4, duplicates: 2 });
    expect(await entriesOf([a, b])).toHaveLength(2);
  });

  it('a value that has to be unique goes to one record, and stays where it is', async () => {
    const ids = await made('projects', 3);
    const body = {
      action: 'update_field',
      object_name: 'projects',
      record_ids: ids,
      field_name: 'code',
      field_value: 'P1',
    };
    const first = (await bulk(body)).json;
    expect(first).toMatchObject({ updated: 1, failed: 2 });
    expect(first.errors.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[2]]);
    expect(first.errors[0].reason).toContain('Another record of projects has this code');
    const again = (await bulk({ ...body, record_ids: ids.toReversed() })).json;
    expect(again.errors.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const mails = { ...body, field_name: 'mails', field_value: 'a@kith.test' };
    expect((await bulk(mails)).json).toMatchObject({ updated: 1, failed: 2 });
    expect((await bulk({ ...mails, field_value: null })).json).toMatchObject({ updated: 3, failed: 0 });
    expect((await bulk({ ...mails, record_ids: [ids[2]] })).json).toMatchObject({ updated: 1 });
  });

  it('a move in a pipeline obeys the rules of its steps: MISSING_REQUIRED_FIELDS of some, the others are closed', async () => {
    const { pipelines } = (await admin.get('/pipelines')).json;
    const renewals = pipelines.find(({ name }: { name: string }) => name === 'Renewals');
    const [due, renewed] = renewals.steps;
    const at = { pipeline_step_id: due.id };
    const ids = idsOf(
      await createAll(admin, 'opportunities', [
        { name: 'A', ...at },
        { name: 'B', ...at, amount: 5 },
        { name: 'C', ...at, amount: 7 },
      ]),
    );
    const body = { action: 'update_field', object_name: 'opportunities', record_ids: ids };
    const { json } = await bulk({ ...body, field_name: 'pipeline_step_id', field_value: renewed.id });
    expect(json).toMatchObject({ updated: 2, failed: 1, total: 3 });
    expect(json.errors[0].id).toBe(ids[0]);
    expect(json.errors[0].reason).toBe(
      'The record cannot go to the step "Renewed" before fields that are required for it are filled: Amount',
    );
    const { record } = (await admin.get(`/records/opportunities/${ids[1]}`)).json;
    expect([record.pipeline_step_id, record.probability]).toEqual([renewed.id, 100]);
    const steps = (await admin.get(`/pipelines/opportunities/${ids[2]}/history`)).json;
    expect(steps.data.map((step: { pipeline_step_id: string }) => step.pipeline_step_id)).toContain(due.id);
    const byName = (await bulk({ ...body, field_name: 'pipeline', field_value: 'Lead' })).json;
    expect(byName).toMatchObject({ updated: 3, failed: 0 });
  });

  it('a list of links replaces those of each', async () => {
    const [a = '', b = ''] = await made('contacts', 2);
    const ids = idsOf(await createAll(admin, 'opportunities', [{ name: 'A', contacts: [a] }, { name: 'B' }]));
    const { json } = await bulk({
      action: 'update_field',
      object_name: 'opportunities',
      record_ids: ids,
      field_name: 'contacts',
      field_value: [{ id: b, role: 'x' }],
    });
    expect(json).toMatchObject({ updated: 2, failed: 0 });
    for (const id of ids) {
      const { contacts } = (await admin.get(`/records/opportunities/${id}`)).json.record;
      expect(contacts.map((link: { id: string; role: string }) => [link.id, link.role])).toEqual([[b, 'x']]);
    }
    const missing = await bulk({
      action: 'update_field',
      object_name: 'opportunities',
      record_ids: ids,
      field_name: 'contacts',
      field_value: [nobody],
    });
    expect(missing.json).toMatchObject({ updated: 0, failed: 2 });
  });
});

describe('the whole request', () => {
  it('BULK-02 to BULK-08: is refused where something is missing, empty or unknown', async () => {
    const record_ids = await made('companies', 1);
    const field = {
      action: 'update_field',
      object_name: 'companies',
      record_ids,
      field_name: 'name',
      field_value: 'x',
    };
    const relation = {
      action: 'add_relation',
      object_name: 'opportunities',
      record_ids,
      relation_field: 'contacts',
      target_ids: record_ids,
    };
    const without = (body: object, key: string) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
    for (const key of ['action', 'object_name', 'record_ids', 'field_name', 'field_value'])
      expectError(await bulk(without(field, key)), 'MISSING_REQUIRED_FIELD');
    for (const key of ['relation_field', 'target_ids'])
      expectError(await bulk(without(relation, key)), 'MISSING_REQUIRED_FIELD');
    expectError(await bulk({ ...field, record_ids: [] }), 'MISSING_REQUIRED_FIELD');
    expectError(await bulk({ ...relation, target_ids: [] }), 'MISSING_REQUIRED_FIELD');
    const others: [object, string[]][] = [
      [{ ...field, action: 'delete' }, ['field_name', 'field_value']],
      [{ action: 'restore', object_name: 'companies', record_ids, relation_field: 'contacts' }, ['relation_field']],
      [{ ...field, relation_field: 'contacts', target_ids: [] }, ['relation_field', 'target_ids']],
      [{ ...relation, field_value: 'x' }, ['field_value']],
      [{ ...relation, action: 'remove_relation', junction_data: {} }, ['junction_data']],
    ];
    for (const [body, keys] of others) {
      const refused = await bulk(body);
      expectError(refused, 'VALIDATION_ERROR');
      expect(fieldsIn(refused), refused.text).toEqual(keys);
    }
    const told = await bulk({ ...field, junction_data: { role: 'x' } });
    expect(told.json.message).toBe('junction_data belongs to add_relation, not to update_field');
    expect(told.json.available_values).toEqual(['field_name', 'field_value']);
    for (const object_name of ['nothing', 'tasks', 'notes', 'threads'])
      expectError(await bulk({ ...field, object_name }), 'INVALID_OBJECT');
    expectError(await bulk({ ...field, field_name: 'nothing' }), 'INVALID_FIELD');
    expectError(await bulk({ ...field, record_ids: Array.from({ length: 10_001 }, () => nobody) }), 'VALIDATION_ERROR');
    const hidden = await bulk({ ...field, field_name: 'description' }, rep);
    const unknown = await bulk({ ...field, field_name: 'descriptionx' }, rep);
    expect([hidden.json.code, hidden.json.available_values]).toEqual(['INVALID_FIELD', unknown.json.available_values]);
    expectError(await bulk({ ...field, object_name: 'projects' }, rep), 'PERMISSION_DENIED');
    const viewer = await organization.user('Viewer');
    expect((await bulk(field, viewer)).json).toMatchObject({ updated: 0, failed: 1 });
  });

  it('a trial changes nothing; a repeat with the same key is answered, not done', async () => {
    const ids = await made('companies', 2);
    const body = {
      action: 'update_field',
      object_name: 'companies',
      record_ids: ids,
      field_name: 'employees',
      field_value: 7,
    };
    const trial = await bulk(body, admin, '?dry_run=true');
    expect([trial.json.updated, trial.headers.get('dry-run')]).toEqual([2, 'true']);
    expect(await entriesOf(ids)).toEqual([]);
    const headers = { 'idempotency-key': 'bulk-1' };
    const first = await admin.post('/bulk', body, headers);
    const second = await admin.post('/bulk', body, headers);
    expect([second.json, second.headers.get('idempotent-replayed')]).toEqual([first.json, 'true']);
    expect(await entriesOf(ids)).toHaveLength(2);
  });

  it('10,000 records in one request', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 10; at++) ids.push(...(await made('contacts', 1_000, { job_title: 'Old' })));
    const body = {
      action: 'update_field',
      object_name: 'contacts',
      record_ids: ids,
      field_name: 'job_title',
      field_value: 'New',
    };
    expect((await bulk(body)).json).toEqual({
      action: 'update_field',
      updated: 10_000,
      failed: 0,
      errors: [],
      total: 10_000,
    });
    const where = { type: 'AND', conditions: [{ field: 'job_title', operator: 'equals', value: 'New' }] };
    expect((await admin.get('/records/contacts', { filters: where, limit: 1 })).json.total).toBe(10_000);
  }, 120_000);
});

describe('filters in place of ids', () => {
  const conditions = (value: string) => ({
    type: 'AND',
    conditions: [
      { field: 'industry', operator: 'is_empty' },
      { field: 'name', operator: 'starts_with', value },
    ],
  });

  it('changes all that match, where they are as many as expected', async () => {
    await createAll(admin, 'companies', named(['Match 1', 'Match 2', 'Other']));
    const body = {
      action: 'update_field',
      object_name: 'companies',
      field_name: 'employees',
      field_value: 99,
      filters: conditions('Match'),
    };
    expectError(await bulk(body), 'MISSING_REQUIRED_FIELD');
    const conflict = await bulk({ ...body, expected_count: 3 });
    expectError(conflict, 'CONFLICT');
    expect(conflict.json.message).toContain('2 records match, not 3');
    const one = await bulk({ ...body, filters: conditions('Match 1'), expected_count: 2 });
    expect(one.json.message).toBe('1 record matches, not 2: nothing was changed');
    expect((await bulk({ ...body, expected_count: 2 })).json).toEqual({
      action: 'update_field',
      updated: 2,
      failed: 0,
      errors: [],
      total: 2,
    });
    expectError(await bulk({ ...body, expected_count: 2, record_ids: [nobody] }), 'VALIDATION_ERROR');
    expectError(
      await bulk({
        ...body,
        expected_count: 2,
        filters: { type: 'AND', conditions: [{ field: 'no', operator: 'equals', value: 1 }] },
      }),
      'INVALID_FIELD',
    );
    expect(
      (await bulk({ ...body, filters: JSON.stringify(conditions('Nowhere')), expected_count: 0 })).json,
    ).toMatchObject({ updated: 0, total: 0 });
  });
});

it('writes no more text at once than others can wait for', async () => {
  const { id } = await create(admin, 'companies', { name: 'Long' });
  const ids = [id, ...Array.from({ length: 1_000 }, () => randomUUID())];
  const change = { action: 'update_field', object_name: 'companies', field_name: 'description' };
  const refused = await admin.post('/bulk', { ...change, record_ids: ids, field_value: 'x'.repeat(5_000) });
  expect(refused.json).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'A value of 5,000 characters is set in at most 1,000 records at a time',
  });
  const taken = await admin.post('/bulk', {
    ...change,
    record_ids: ids.slice(0, 1_000),
    field_value: 'x'.repeat(5_000),
  });
  expect(taken.json).toMatchObject({ updated: 1 });
});
