/** Private notes of others in merges: they are led on, and nobody else is told of them. [spec: Notes, Duplicates] */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { setOf, undo } from './change-sets.ts';
import { create } from './records.ts';
import { addObject } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let author: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  author = await organization.user('Member');
});
afterAll(() => kith.stop());

async function noteOn(company: string, visibility = 'private'): Promise<string> {
  const note = await author.post('/notes', {
    content: 'Secret',
    data: { visibility },
    linked_entities: [{ type: 'companies', id: company }],
  });
  expect(note.status, note.text).toBe(201);
  return note.json.note_id;
}

const linkedTo = async (note: string) =>
  (await author.get(`/notes/${note}`)).json.note.linked_entities.map(({ id }: { id: string }) => id);

async function pair() {
  const [master, twin] = [
    await create(admin, 'companies', { name: 'M' }),
    await create(admin, 'companies', { name: 'T' }),
  ];
  return { master: master.id as string, twin: twin.id as string };
}

const duplicates = async (body: object, query = '') => {
  const reply = await admin.post(`/duplicates${query}`, { object_name: 'companies', ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply;
};

it('NOTE2-02: neither a merge nor its dry run counts them, nor does an unmerge', async () => {
  const { master, twin } = await pair();
  const note = await noteOn(twin);
  const asked = { action: 'merge', master_id: master, duplicate_ids: [twin] };
  expect((await duplicates(asked, '?dry_run=true')).json).toMatchObject({ updated_relations: 0, moved: {} });
  expect((await duplicates(asked)).json.updated_relations).toBe(0);
  expect((await duplicates(asked)).json.updated_relations).toBe(0);
  expect(await linkedTo(note)).toEqual([master]);
  expect((await duplicates({ action: 'unmerge', duplicate_ids: [twin] })).json).toMatchObject({
    updated_relations: 0,
    moved: {},
    ambiguous: [],
  });
  expect(await linkedTo(note)).toEqual([twin]);
});

it('NOTE-04: those of the workspace are counted', async () => {
  const { master, twin } = await pair();
  await noteOn(twin, 'workspace');
  const asked = { action: 'merge', master_id: master, duplicate_ids: [twin] };
  const counted = { updated_relations: 1, moved: { 'notes.companies': 1 } };
  expect((await duplicates(asked, '?dry_run=true')).json).toMatchObject(counted);
  expect((await duplicates(asked)).json.updated_relations).toBe(1);
});

it.each(['unmerge', 'undo'])('NOTE2-02: an %s does not name those that were edited since', async (way) => {
  const { master, twin } = await pair();
  const note = await noteOn(twin);
  const merged = await duplicates({ action: 'merge', master_id: master, duplicate_ids: [twin] });
  await author.put(`/notes/${note}`, { linked_entities: [] });
  await author.put(`/notes/${note}`, { linked_entities: [{ type: 'companies', id: master }] });
  if (way === 'undo') expect(await undo(admin, setOf(merged))).toMatchObject({ undone: 1, left_count: 0, left: [] });
  else
    expect((await duplicates({ action: 'unmerge', duplicate_ids: [twin] })).json).toMatchObject({
      ambiguous: [],
      total_ambiguous: 0,
    });
  expect(await linkedTo(note)).toEqual([master]);
});

it('a relation that leads to one stays with the duplicate', async () => {
  await addObject(kith, organization, 'cases', {
    name: 'TEXT',
    note_id: { type: 'RELATION', relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'notes' } },
  });
  const { twin: company } = await pair();
  const note = await noteOn(company);
  const master = await create(admin, 'cases', { name: 'M' });
  const twin = await create(author, 'cases', { name: 'T', note_id: note });
  const merged = await duplicates({
    object_name: 'cases',
    action: 'merge',
    master_id: master.id,
    duplicate_ids: [twin.id],
  });
  expect(merged.json.updated_relations).toBe(0);
  expect((await author.get(`/records/cases/${master.id}`)).json.record.note_id).toBeNull();
  await duplicates({ object_name: 'cases', action: 'unmerge', duplicate_ids: [twin.id] });
  const { record } = (await author.get(`/records/cases/${twin.id}`)).json;
  expect(record.note_id).toBe(note);
});
