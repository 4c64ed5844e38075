/** Imports are tried with the fields that they are to make. [spec: crm_import_records] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { randomFrom } from '../query/random.ts';
import { expectError } from './records.ts';

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization({ currency: 'EUR' }));
});
afterAll(() => kith.stop());

async function analyzed(data: string): Promise<string> {
  const reply = await admin.post('/import-jobs', { object_name: 'companies', data, format: 'csv' });
  expect(reply.status, reply.text).toBe(201);
  return reply.json.import_job_id;
}

async function act(id: string, action: 'preview' | 'execute', body: object = {}): Promise<Reply['json']> {
  const reply = await admin.post(`/import-jobs/${id}/${action}`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** Rows of which many are alike, or hold what a field cannot take. */
function rowsOf(seed: number): string[] {
  const random = randomFrom(seed);
  const of = (...cells: readonly string[]) => random.pick(cells);
  return Array.from({ length: 40 }, (_, at) =>
    [
      `N${seed} ${random.below(30)}`,
      'x.test',
      random.chance(0.5) ? `c${seed}-${random.below(15)}` : '',
      of('', '1', '2', '3', `${10 + random.below(12)}`, 'x'),
      of('', `r${random.below(12)}`, `R${random.below(12)}`, `q${at}`),
      of('', '2026-01-31', '2026-13-40', 'soon'),
      of('', 'Gold', 'gold', 'Silver', 'Lead'),
      of('', 'a@x.test', 'b@x.test', 'a@x.test;c@x.test', 'nobody'),
    ].join(','),
  );
}

it.each([1, 2, 3, 6, 7])('CIR-17: tries them as they are made then: seed %i', async (seed) => {
  const id = await analyzed(['name,domain,Code,Count,Ref,Since,Tier,Mails', ...rowsOf(seed), ''].join('\n'));
  const field = (column: string, type: string, more: object = {}) => ({
    column,
    action: 'new_field',
    new_field_name: `${column.toLowerCase()}_${seed}`,
    new_field_type: type,
    ...more,
  });
  const code = { column: 'Code', action: 'new_field', new_field_name: 'code', new_field_unique: true };
  const mapping = [
    code,
    field('Count', 'INTEGER'),
    field('Ref', 'TEXT', { new_field_unique: seed % 2 === 0 }),
    field('Since', 'DATE'),
    field('Tier', 'SELECT', { enum_options: ['Gold', 'Silver'] }),
    field('Mails', 'EMAILS', { new_field_unique: seed % 4 === 3 }),
  ];
  const told = [[], [`ref_${seed}`], ['name', `count_${seed}`], [`mails_${seed}`]][seed % 4] ?? [];
  const import_options = {
    bad_cells: seed % 3 === 0 ? 'fail' : 'empty',
    ...(told.length > 0 && { duplicate_strategy: seed > 4 ? 'skip' : 'update', duplicate_fields: told }),
  };
  const preview = await act(id, 'preview', { mapping, import_options });
  const done = await act(id, 'execute', { preview_hash: preview.preview_hash });
  for (const key of ['created', 'updated', 'skipped', 'failed', 'warnings', 'notes'])
    expect(done[key], key).toEqual(preview[key]);
  // Records that are not made yet are called by their rows.
  const unnamed = (problems: unknown) => JSON.stringify(problems).replaceAll(/row \d+|[\da-f-]{36}/g, '…');
  expect(unnamed(done.problems)).toBe(unnamed(preview.problems));
  expect(JSON.stringify(preview.problems)).not.toMatch(/[\da-f-]{36}/);
  expect(done.created + done.updated + done.skipped + done.failed).toBe(40);
  expect([done.created, done.failed + done.warnings].every((count) => count > 0)).toBe(true);
  await admin.post('/undo', { change_set: done.change_set });
});

it('refuses before any is made: names that are taken, and rows that are told by a field that tells none', async () => {
  const id = await analyzed('name,Created,Flag\nA,1,yes\n');
  const at = `/import-jobs/${id}/preview`;
  const named = (column: string, new_field_name: string, new_field_type = 'TEXT') => ({
    column,
    action: 'new_field',
    new_field_name,
    new_field_type,
  });
  expectError(await admin.post(at, { mapping: [named('Created', 'created_at')] }), 'VALIDATION_ERROR');
  const flag = { mapping: [named('Flag', 'flag', 'BOOLEAN')] };
  const told = { duplicate_strategy: 'update', duplicate_fields: ['flag'] };
  const execute = await admin.post(at.replace('preview', 'execute'), { ...flag, import_options: told });
  expectError(execute, 'VALIDATION_ERROR');
  expect(execute.json.message).toContain('Records cannot be matched by flag, a new field of type BOOLEAN');
  const { json: schema } = await admin.get('/schema/companies');
  expect(schema.fields.map(({ name }: { name: string }) => name)).not.toContain('flag');
});

it('makes fields once for all requests with one key', async () => {
  const id = await analyzed('Name,Favourite\nKeyed,tea\n');
  const mapping = [
    {
      column: 'Favourite',
      action: 'new_field',
      new_field_name: 'favourite',
      new_field_label: 'Favourite',
      new_field_type: 'TEXT',
    },
  ];
  const headers = { 'idempotency-key': 'with-a-field' };
  const first = await admin.post(`/import-jobs/${id}/execute`, { mapping }, headers);
  expect(first.json, first.text).toMatchObject({ mode: 'completed', created: 1, new_fields: ['favourite'] });
  const again = await admin.post(`/import-jobs/${id}/execute`, { mapping }, headers);
  expect(again.json).toEqual(first.json);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});
