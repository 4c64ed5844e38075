/** Unique EMAILS and PHONES: no two records outside the trash share a value. [spec: Errors; decisions: Writing] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, fieldsIn } from './records.ts';
import { addObject, addRole, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addObject(kith, organization, 'people', {
    name: 'TEXT',
    mails: { type: 'EMAILS', isUnique: true },
    numbers: { type: 'PHONES', isUnique: true },
    code: { type: 'TEXT', isUnique: true },
  });
});

afterAll(() => kith.stop());

async function values(record: string): Promise<(string | null)[]> {
  const table = identifier(organization.schema, '_unique_values');
  const rows = await run(
    kith,
    organization,
    sql`select value from ${table} where record_id = ${record}::uuid order by 1`,
  );
  return rows.map(([value]) => value ?? null);
}

describe('a unique set of values', () => {
  it('is compared without case, value by value, and says who has it', async () => {
    const first = await create(admin, 'people', { name: 'A', mails: ['One@x.test', 'two@x.test'], numbers: ['+49 1'] });
    expect(await values(first.id)).toEqual(['+49 1', 'one@x.test', 'two@x.test']);
    const reply = await admin.post('/records/people', { name: 'B', mails: ['b@x.test', 'ONE@X.TEST'] });
    expectError(reply, 'DUPLICATE_RECORD');
    expect(fieldsIn(reply)).toEqual(['mails']);
    expect(reply.json.message).toContain(first.id);
    expect(fieldsIn(await admin.post('/records/people', { name: 'B', numbers: '+49 1' }))).toEqual(['numbers']);
    expect((await create(admin, 'people', { name: 'B', mails: 'b@x.test' })).mails).toHaveLength(1);
  });

  it('is changed by what is added and what is left out', async () => {
    const { id } = await create(admin, 'people', { name: 'C', mails: ['c1@x.test', 'c2@x.test'] });
    const other = await create(admin, 'people', { name: 'D', mails: ['d1@x.test'] });
    expect((await admin.put(`/records/people/${id}`, { mails: ['c2@x.test', 'c3@x.test'] })).status).toBe(200);
    expect(await values(id)).toEqual(['c2@x.test', 'c3@x.test']);
    expect((await admin.put(`/records/people/${other.id}`, { mails: ['d1@x.test', 'c1@x.test'] })).status).toBe(200);
    const clash = await admin.put(`/records/people/${other.id}`, { name: 'no', mails: ['d1@x.test', 'c3@x.test'] });
    expectError(clash, 'DUPLICATE_RECORD');
    expect(clash.json.message).toContain(id);
    expect((await admin.get(`/records/people/${other.id}`)).json.record.name).toBe('D');
    expect((await admin.put(`/records/people/${id}`, { mails: null })).status).toBe(200);
    expect(await values(id)).toEqual([]);
  });

  it('is free while its record is in the trash, and taken again with it', async () => {
    const first = await create(admin, 'people', { name: 'E', mails: 'e@x.test' });
    await admin.delete(`/records/people/${first.id}`);
    const second = await create(admin, 'people', { name: 'F', mails: 'E@x.test' });
    const clash = await admin.post(`/records/people/${first.id}/restore`);
    expectError(clash, 'DUPLICATE_RECORD');
    expect(clash.json.message).toContain(first.id);
    expect(clash.json.message).toContain(second.id);
    await admin.delete(`/records/people/${second.id}`);
    expect((await admin.post(`/records/people/${first.id}/restore`)).status).toBe(200);
    expect(await values(first.id)).toEqual(['e@x.test']);
    expectError(await admin.post('/records/people', { name: 'G', mails: 'e@x.test' }), 'DUPLICATE_RECORD');
  });

  it('makes duplicates of an import, within it and against what is there', async () => {
    await create(admin, 'people', { name: 'H', mails: 'h@x.test' });
    const reply = await admin.post('/import/people', {
      records: [
        { name: 'new', mails: 'i1@x.test; i2@x.test' },
        { name: 'there already', mails: 'i3@x.test; H@x.test' },
        { name: 'in the file already', mails: 'I2@x.test' },
        { name: 'other', mails: 'i4@x.test' },
      ],
    });
    expect(reply.json, reply.text).toMatchObject({ created: 2, duplicates: 2 });
  });

  it('lets one of two writers have it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        admin.post('/records/people', { name: `r${at}`, mails: ['race@x.test', `r${at}@x.test`] }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ json }) => json.code === 'DUPLICATE_RECORD')).toHaveLength(7);
  });

  it('tells neither the field nor the record to whom they are hidden', async () => {
    await addRole(kith, organization, 'Blind', {
      people: { view: 'own', create: true, fields: { numbers: 'none' } },
    });
    await create(admin, 'people', { name: 'Hidden', mails: 'hidden@x.test', code: 'k' });
    const blind = await organization.user('Blind');
    const reply = await blind.post('/records/people', { name: 'x', mails: 'hidden@x.test' });
    expectError(reply, 'DUPLICATE_RECORD');
    expect(reply.json.message).toBe('Another record of people has this mails');
    expect((await blind.post('/records/people', { name: 'x', code: 'k' })).json.message).toBe(
      'Another record of people has this code',
    );
  });
});

describe('among many records', () => {
  const has = (name: string, id: string) => `Another record of people has this ${name}: ${id}`;
  const messages = (reply: { json: { errors: { index: number; message: string }[] } }) =>
    reply.json.errors.map(({ index, message }) => [index, message]);

  it('a refusal says who has the value: of a create, an update and an upsert', async () => {
    const first = await create(admin, 'people', { name: 'M1', mails: 'm1@x.test', code: 'm1' });
    const second = await create(admin, 'people', { name: 'M2', mails: 'm2@x.test', code: 'm2' });
    const created = await admin.post('/records/people/batch/create', {
      records: [
        { name: 'by mail', mails: ['new@x.test', 'M1@x.test'] },
        { name: 'by code', code: 'm2' },
        { name: 'new', code: 'm3' },
        { name: 'as the one before', code: 'm3' },
      ],
    });
    expect(created.json.created, created.text).toBe(1);
    expect(messages(created)).toEqual([
      [0, has('mails', first.id)],
      [1, has('code', second.id)],
      [3, 'Another record of people has this code'],
    ]);
    expect(created.json.errors[1].field_errors).toEqual([{ field: 'code', message: 'code must be unique' }]);

    const upserted = await admin.post('/records/people/batch/upsert', {
      match: 'code',
      records: [
        { code: 'm1', mails: ['m1@x.test', 'm2@x.test'] },
        { code: 'm4', name: 'made', mails: 'm2@x.test' },
      ],
    });
    expect(upserted.json.failed, upserted.text).toBe(2);
    expect(messages(upserted)).toEqual([
      [0, has('mails', second.id)],
      [1, has('mails', second.id)],
    ]);
    const third = created.json.records[0].id;
    const changed = await admin.post('/records/people/batch/upsert', {
      match: 'mails',
      records: [
        { mails: 'm1@x.test', code: 'm2' },
        { mails: 'm2@x.test', code: 'm3' },
      ],
    });
    expect(messages(changed)).toEqual([
      [0, has('code', second.id)],
      [1, has('code', third)],
    ]);

    const many = await admin.post('/bulk', {
      action: 'update_field',
      object_name: 'people',
      record_ids: [second.id, third],
      field_name: 'code',
      field_value: 'm2',
    });
    const reasons = many.json.errors.map(({ id, reason }: { id: string; reason: string }) => [id, reason]);
    expect(reasons).toEqual([[third, has('code', second.id)]]);
  });

  it('so does a row of a file', async () => {
    const there = await create(admin, 'people', { name: 'There', mails: 'there@x.test', code: 'there' });
    const here = await create(admin, 'people', { name: 'Here', code: 'here' });
    const rows = ['new,fresh@x.test,fresh', 'clash,THERE@x.test,other', 'and,and@x.test,there', 'again,,here'];
    const data = ['name,mails,code', ...rows].join('\n');
    const job = await admin.post('/import-jobs', { object_name: 'people', data, format: 'csv' });
    const done = await admin.post(`/import-jobs/${job.json.import_job_id}/execute`);
    expect(done.json, done.text).toMatchObject({ created: 1, failed: 3 });
    // Rows that differ in the record alone are told in one line.
    expect(done.json.problems).toEqual([
      {
        message: 'Another record of people has this code',
        count: 2,
        first: has('code', there.id),
        rows: [2, 3],
        values: 2,
        example: there.id,
      },
      expect.objectContaining({ count: 1, first: has('mails', there.id), rows: [1] }),
    ]);
    const failed = await admin.get(`/import-jobs/${job.json.import_job_id}/failed-rows`);
    expect(failed.text).toContain(has('mails', there.id));
    for (const { id } of [there, here]) expect(failed.text).toContain(has('code', id));
  });

  it('and tells neither the field nor the record to whom they are hidden', async () => {
    const { id } = await create(admin, 'people', { name: 'Secret', mails: 's@x.test', code: 's' });
    const blind = await organization.user('Blind');
    const records = [{ mails: 's@x.test' }, { code: 's' }];
    const reply = await blind.post('/records/people/batch/create', { records });
    expect(messages(reply)).toEqual([
      [0, 'Another record of people has this mails'],
      [1, 'Another record of people has this code'],
    ]);
    expect(reply.text).not.toContain(id);
  });
});

describe('a unique text', () => {
  it('is compared exactly', async () => {
    await create(admin, 'people', { name: 'x', code: 'Exact' });
    await create(admin, 'people', { name: 'y', code: 'exact' });
    expectError(await admin.post('/records/people', { name: 'z', code: 'Exact' }), 'DUPLICATE_RECORD');
  });
});
