/** A merge of a record that thousands lead to. [spec: Duplicates] */
import { expect, it } from 'vitest';
import { company, contact, merge, record, unmerge } from './merging.ts';
import { create } from './records.ts';
import { admin, useStage } from './stage.ts';

const many = 10_000;
const ids: string[] = [];

useStage(async () => {
  const reply = await admin.post('/import/contacts', {
    records: Array.from({ length: many }, () => ({ first_name: 'Ann' })),
  });
  if (reply.json.created !== many) throw new Error(reply.text);
  ids.push(...reply.json.created_ids);
});

it('moves 10,000 links of its own, and back', { timeout: 60_000 }, async () => {
  const master = await create(admin, 'opportunities', { name: 'Master', contacts: [ids[0]] });
  const one = await create(admin, 'opportunities', { name: 'One', contacts: ids.map((id) => ({ id, role: 'guest' })) });
  const reply = await merge('opportunities', master.id, [one.id]);
  expect(reply.json, reply.text).toMatchObject({ updated_relations: many - 1 });
  expect((await record('opportunities', master.id)).contacts).toHaveLength(many);
  expect((await unmerge('opportunities', one.id)).json).toMatchObject({ updated_relations: 0, total_ambiguous: 0 });
  expect((await record('opportunities', master.id)).contacts).toMatchObject([{ id: ids[0], role: null }]);
  expect((await record('opportunities', one.id)).contacts).toHaveLength(many);
});

it('moves 10,000 records that lead to a duplicate, and back', { timeout: 60_000 }, async () => {
  const [master, one] = [await company(), await company()];
  const records = Array.from({ length: many }, () => ({ company_id: one.id }));
  expect((await admin.post('/import/contacts', { records })).json.created).toBe(many);
  const reply = await merge('companies', master.id, [one.id]);
  expect(reply.json, reply.text).toMatchObject({ updated_relations: many });
  const query = { filter_field: 'company_id', filter_operator: 'equals', limit: 1 };
  expect((await admin.get('/records/contacts', { ...query, filter_value: master.id })).json.total).toBe(many);
  expect((await unmerge('companies', one.id)).json).toMatchObject({ updated_relations: many, total_ambiguous: 0 });
  expect((await admin.get('/records/contacts', { ...query, filter_value: one.id })).json.total).toBe(many);
  expect((await admin.get('/records/contacts', { ...query, filter_value: master.id })).json.total).toBe(0);
});

it('merges a hundred records in one call', { timeout: 60_000 }, async () => {
  const [master, ...others] = [await contact(), ...ids.slice(0, 100)];
  const { json } = await merge('contacts', master.id, others);
  expect(json).toMatchObject({ duplicates_deleted: 100 });
  expect((await unmerge('contacts', ...others)).json).toMatchObject({ duplicates_restored: 100 });
});
