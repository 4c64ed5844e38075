/** [decisions: Writing] Change sets: what was written together is undone together, as far as nobody has changed it since. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, createAll, expectError, makeUnique } from './records.ts';
import { setOf, together, undo } from './change-sets.ts';
import { readTask } from './tasks.ts';
import { addObject, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;
let modest: Client;

const roles = [
  {
    name: 'Modest',
    permissions: {
      '*': { view: 'all', create: true, update: 'all', delete: 'all' },
      opportunities: { fields: { probability: 'none' } },
      companies: { update: 'own', delete: 'own', fields: { description: 'read' } },
    },
  },
];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, { roles });
  member = await organization.user('Member');
  modest = await organization.user('Modest');
});
afterAll(() => kith.stop());

const read = async (object: string, id: string, client = admin) =>
  (await client.get(`/records/${object}/${id}`)).json.record;

describe('POST /undo', () => {
  let company: Reply['json'];
  beforeEach(async () => {
    company = await create(admin, 'companies', { name: 'Acme', employees: 5, domain: 'https://acme.test' });
  });

  it('puts values back as they were before the whole change set, with means undo', async () => {
    const set = together(admin);
    await set.put(`/records/companies/${company.id}`, { name: 'B', employees: 6 });
    await set.put(`/records/companies/${company.id}`, { name: 'C' });
    const answer = await undo(admin, set.id);
    expect(answer).toEqual({
      action: 'undone',
      change_set: expect.stringMatching(/^[0-9a-f-]{36}$/),
      undone: 1,
      left_count: 0,
      left: [],
    });
    expect(await read('companies', company.id)).toMatchObject({ name: 'Acme', employees: 5 });
    const [entry] = (await admin.get(`/records/companies/${company.id}/history`)).json.data;
    expect(entry).toMatchObject({ action: 'update', means: 'undo', change_set: answer.change_set });
  });

  it('leaves and names what others have changed since, field by field', async () => {
    const set = together(admin);
    await set.put(`/records/companies/${company.id}`, { name: 'B', employees: 6 });
    await member.put(`/records/companies/${company.id}`, { name: 'C', domain: 'https://c.test' });
    expect(await undo(admin, set.id)).toMatchObject({
      undone: 1,
      left_count: 1,
      left: [{ object: 'companies', id: company.id, reason: 'changed_since', fields: ['name'] }],
    });
    expect(await read('companies', company.id)).toMatchObject({ name: 'C', employees: 5, domain: 'https://c.test' });
  });

  it('keeps an edit of somebody else that came between two writes of the change set', async () => {
    const set = together(admin);
    await set.put(`/records/companies/${company.id}`, { name: 'B' });
    await member.put(`/records/companies/${company.id}`, { name: 'C' });
    await set.put(`/records/companies/${company.id}`, { name: 'D' });
    expect(await undo(admin, set.id)).toMatchObject({ undone: 1, left: [] });
    expect((await read('companies', company.id)).name).toBe('C');
  });

  it('puts what was made into the trash, and takes what was deleted out of it', async () => {
    const set = together(admin);
    const { id } = await set.post('/records/companies', { name: 'New' });
    await set.put(`/records/companies/${company.id}`, { employees: 7 });
    await set.delete(`/records/companies/${company.id}`);
    expect(await undo(admin, set.id)).toMatchObject({ undone: 2, left: [] });
    expectError(await admin.get(`/records/companies/${id}`), 'RECORD_NOT_FOUND');
    expect((await admin.get('/trash/companies')).json.data.map((one: { id: string }) => one.id)).toContain(id);
    expect((await read('companies', company.id)).employees).toBe(5);
  });

  it('leaves a record that others have changed since it was made', async () => {
    const set = together(admin);
    const made = await createAllIn(set.id, 3);
    await member.put(`/records/companies/${made[1]}`, { employees: 1 });
    expect(await undo(admin, set.id)).toMatchObject({
      undone: 2,
      left: [{ object: 'companies', id: made[1], reason: 'changed_since', fields: ['employees'] }],
    });
    expect((await read('companies', made[1] ?? '')).employees).toBe(1);
  });

  it('an undo can be undone, and that as well', async () => {
    const set = together(admin);
    const { id } = await set.post('/records/companies', { name: 'New' });
    await set.put(`/records/companies/${company.id}`, { name: 'B' });
    const first = await undo(admin, set.id);
    const second = await undo(admin, first.change_set);
    expect(second).toMatchObject({ undone: 2, left: [] });
    expect([(await read('companies', id)).name, (await read('companies', company.id)).name]).toEqual(['New', 'B']);
    expect(await undo(admin, second.change_set)).toMatchObject({ undone: 2, left: [] });
    expect((await read('companies', company.id)).name).toBe('Acme');
    expectError(await admin.get(`/records/companies/${id}`), 'RECORD_NOT_FOUND');
  });

  it('undoes nothing twice', async () => {
    const reply = await admin.put(`/records/companies/${company.id}`, { name: 'B' });
    await undo(admin, setOf(reply));
    await admin.put(`/records/companies/${company.id}`, { name: 'C' });
    expect(await undo(admin, setOf(reply))).toMatchObject({ undone: 0, left: [{ reason: 'changed_since' }] });
    expect((await read('companies', company.id)).name).toBe('C');
  });

  it('with dry_run says what it would do, and does nothing', async () => {
    const reply = await admin.put(`/records/companies/${company.id}`, { name: 'B' });
    const trial = await admin.post('/undo?dry_run=true', { change_set: setOf(reply) });
    expect(trial.json).toMatchObject({ undone: 1, left: [] });
    expect((await read('companies', company.id)).name).toBe('B');
    expect(await undo(admin, setOf(reply))).toMatchObject({ undone: 1 });
  });

  it('is one request with an Idempotency-Key', async () => {
    const reply = await admin.put(`/records/companies/${company.id}`, { name: 'B' });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await admin.post('/undo', { change_set: setOf(reply) }, key);
    const again = await admin.post('/undo', { change_set: setOf(reply) }, key);
    expect([first.json.undone, again.json]).toEqual([1, first.json]);
  });

  it('puts links back in their order, with what they carried, and keeps those that others made', async () => {
    const people = await createAll(
      admin,
      'contacts',
      ['a', 'b', 'c', 'd', 'e'].map((first_name) => ({ first_name })),
    );
    const [a, b, c, d, e] = people.map(({ id }) => id);
    const link = (id: string, role: string | null = null) => ({ id, role });
    const deal = await create(admin, 'opportunities', { name: 'D', contacts: [link(a, 'x'), link(b, 'y'), link(c)] });
    const set = together(admin);
    await set.put(`/records/opportunities/${deal.id}`, { contacts: [link(d), link(c, 'z'), link(a, 'x')] });
    await member.put(`/records/opportunities/${deal.id}`, {
      contacts: [link(d), link(e, 'mine'), link(c, 'z'), link(a, 'x')],
    });
    await undo(admin, set.id);
    const { contacts } = await read('opportunities', deal.id);
    const links = contacts.map(({ id, role }: { id: string; role: string | null }) => [id, role]);
    expect(links.filter(([id]: [string]) => id !== e)).toEqual([
      [a, 'x'],
      [b, 'y'],
      [c, null],
    ]);
    expect(links).toContainEqual([e, 'mine']);
  });

  it('brings a record back to the step at which it was, with its stamp; nothing is asked for, and nothing witnessed', async () => {
    const deal = await create(admin, 'opportunities', { name: 'D' });
    const was = await read('opportunities', deal.id);
    const reply = await admin.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: 'Won' });
    const witnessed = async () => (await admin.get(`/pipelines/opportunities/${deal.id}/history`)).json.history;
    const before = await witnessed();
    await undo(admin, setOf(reply));
    const is = await read('opportunities', deal.id);
    expect([is.pipeline_step_id, is.pipeline_step_entered_at]).toEqual([
      was.pipeline_step_id,
      was.pipeline_step_entered_at,
    ]);
    expect(await witnessed()).toEqual(before);
  });

  it('leaves the whole place in the pipeline where somebody has moved the record since', async () => {
    const deal = await create(admin, 'opportunities', { name: 'D' });
    const reply = await admin.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: 'Proposal' });
    await member.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: 'Won' });
    const answer = await undo(admin, setOf(reply));
    expect(answer).toMatchObject({ undone: 0, left: [{ reason: 'changed_since' }] });
    expect(answer.left[0].fields).toEqual(['pipeline_step_id']);
  });

  it('undoes a batch and an import as one', async () => {
    const batch = await admin.post('/records/contacts/batch/create', {
      records: [{ first_name: 'A' }, { first_name: 'B' }],
    });
    expect(await undo(admin, setOf(batch))).toMatchObject({ undone: 2, left: [] });
  });

  it('gives unique values back in whatever order they were taken', async () => {
    await makeUnique(kith, organization, 'contacts', 'job_title');
    const [x, y] = await createAll(admin, 'contacts', [{ job_title: 'one' }, { job_title: 'two' }]);
    const set = together(admin);
    await set.put(`/records/contacts/${x.id}`, { job_title: 'other' });
    await set.put(`/records/contacts/${y.id}`, { job_title: 'one' });
    const { id } = await set.post('/records/contacts', { job_title: 'two' });
    expect(await undo(admin, set.id)).toMatchObject({ undone: 3, left: [] });
    expect([(await read('contacts', x.id)).job_title, (await read('contacts', y.id)).job_title]).toEqual([
      'one',
      'two',
    ]);
    const gone = await admin.put(`/records/contacts/${y.id}`, { job_title: 'free' });
    await create(admin, 'contacts', { job_title: 'two' });
    const { left, undone } = await undo(admin, setOf(gone));
    expect([undone, left[0].reason, left[0].id]).toEqual([0, 'duplicate', y.id]);
    expectError(await admin.get(`/records/contacts/${id}`), 'RECORD_NOT_FOUND');
  });

  it('undoes tasks and notes by their own rules', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'A' });
    const links = [{ type: 'contacts', id: contact.id }];
    const made = await admin.post('/tasks', { title: 'Call', due_date: '2027-01-02', linked_entities: links });
    const id = made.json.task_id;
    const done = await admin.put(`/tasks/${id}/complete`, {});
    await undo(admin, setOf(done));
    const was = await readTask(admin, id);
    expect(was).toMatchObject({ is_completed: false, completed_at: null, completed_by: null });
    const gone = await admin.delete(`/tasks/${id}`);
    expect(await undo(admin, setOf(gone))).toMatchObject({ undone: 1, left: [] });
    expect({ ...(await readTask(admin, id)), updated_at: '' }).toEqual({ ...was, updated_at: '' });
    expect(await undo(admin, setOf(made))).toMatchObject({ undone: 0, left: [{ object: 'tasks' }] });
    const other = await admin.post('/tasks', { title: 'Again', linked_entities: links });
    const undone = await undo(admin, setOf(other));
    expectError(await admin.get(`/tasks/${other.json.task_id}`), 'RECORD_NOT_FOUND');
    expect(await undo(admin, undone.change_set)).toMatchObject({ undone: 1, left: [] });
    expect(JSON.stringify(await readTask(admin, other.json.task_id))).toContain(contact.id);
  });

  it("leaves a private note of somebody else, and does not tell of it; its author's visibility as well", async () => {
    const made = await member.post('/notes', { content: '<p>Mine</p>' });
    expectError(await admin.post('/undo', { change_set: setOf(made) }), 'RECORD_NOT_FOUND');
    const { note_id: id } = made.json;
    const shown = await member.put(`/notes/${id}`, { content: '<p>Ours</p>', data: { visibility: 'workspace' } });
    expect(await undo(admin, setOf(shown))).toMatchObject({
      undone: 1,
      left: [{ object: 'notes', id, reason: 'not_allowed', fields: ['visibility'] }],
    });
    const { note } = (await member.get(`/notes/${id}`)).json;
    expect(note).toMatchObject({ title: 'Mine', visibility: 'workspace' });
    expect(await undo(member, setOf(made))).toMatchObject({ undone: 0, left: [{ reason: 'changed_since' }] });
  });

  it('leaves a relation where somebody has changed since what depends on it', async () => {
    const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE' as const, targetObjectName });
    await addObject(kith, organization, 'visits', {
      name: 'TEXT',
      company_id: { type: 'RELATION', relationConfig: to('companies') },
      contact_id: { type: 'DEPENDENT_RELATION', dependsOn: 'company_id', relationConfig: to('contacts') },
    });
    const other = await create(admin, 'companies', { name: 'Other' });
    const [a, b] = await createAll(admin, 'contacts', [{ company_id: company.id }, { company_id: other.id }]);
    const values = { name: 'V', company_id: company.id, contact_id: a.id };
    const [first, second] = await createAll(admin, 'visits', [values, values]);
    const set = together(admin);
    for (const { id } of [first, second]) await set.put(`/records/visits/${id}`, { company_id: other.id, name: 'W' });
    expect((await read('visits', first.id)).contact_id).toBeNull();
    await member.put(`/records/visits/${second.id}`, { contact_id: b.id });
    const { undone, left } = await undo(admin, set.id);
    expect([undone, left]).toEqual([
      2,
      [{ object: 'visits', id: second.id, reason: 'changed_since', fields: expect.arrayContaining(['company_id']) }],
    ]);
    expect(await read('visits', first.id)).toMatchObject(values);
    expect(await read('visits', second.id)).toMatchObject({ name: 'V', company_id: other.id, contact_id: b.id });
  });

  it('does not count a record of which nothing could be put back', async () => {
    const linked = await create(admin, 'opportunities', {
      name: 'Deal',
      contacts: [(await create(admin, 'contacts', { first_name: 'Gone' })).id],
    });
    const [{ id }] = (await read('opportunities', linked.id)).contacts;
    const reply = await admin.put(`/records/opportunities/${linked.id}`, { contacts: [] });
    await admin.delete(`/records/contacts/${id}`);
    expect(await undo(admin, setOf(reply))).toMatchObject({
      undone: 0,
      left: [{ id: linked.id, reason: 'does_not_fit', fields: ['contacts'] }],
    });
  });

  it('knows no change set of which the caller sees nothing', async () => {
    const member = await organization.user('Member');
    const note = await member.post('/notes', { content: 'Secret' });
    const [seen, never] = [setOf(note), crypto.randomUUID()];
    const told = async (id: string) => (await admin.post('/undo', { change_set: id })).text.replace(id, '');
    expect(await told(seen)).toBe(await told(never));
    expect((await undo(member, seen)).undone).toBe(1);
  });

  it('leaves a record that somebody has put into the trash since; an undo needs another change set', async () => {
    const reply = await admin.put(`/records/companies/${company.id}`, { name: 'B' });
    await admin.delete(`/records/companies/${company.id}`);
    expect(await undo(admin, setOf(reply))).toMatchObject({
      undone: 0,
      left: [{ id: company.id, reason: 'in_trash' }],
    });
    expectError(
      await admin.post('/undo', { change_set: setOf(reply) }, { 'change-set': setOf(reply) }),
      'VALIDATION_ERROR',
    );
    expectError(await admin.post('/undo', {}), 'MISSING_REQUIRED_FIELD');
  });

  describe('who may', () => {
    it('whoever wrote, and admins; to others it is not there', async () => {
      const reply = await member.post('/records/companies', { name: 'Mine' });
      const refused = await modest.post('/undo', { change_set: setOf(reply) });
      expectError(refused, 'RECORD_NOT_FOUND');
      const unknown = crypto.randomUUID();
      expect(refused.text.replace(setOf(reply), '')).toBe(
        (await modest.post('/undo', { change_set: unknown })).text.replace(unknown, ''),
      );
      expectError(await admin.post('/undo', { change_set: 'x' }), 'RECORD_NOT_FOUND');
      expect(await undo(admin, setOf(reply))).toMatchObject({ undone: 1 });
    });

    it('leaves what the role may not write by now, and names it as far as it sees it', async () => {
      const set = together(modest);
      const { id } = await set.post('/records/companies', { name: 'Mine' });
      const own = await create(modest, 'companies', { name: 'Own' });
      await set.put(`/records/companies/${own.id}`, { name: 'Changed' });
      const me = sql`${admin.workspaceUserId}::uuid`;
      const table = identifier(organization.schema, 'companies');
      const ids = sql`array[${id}::uuid, ${own.id}::uuid]`;
      await run(kith, organization, sql`update ${table} set owner = ${me}, created_by = ${me} where id = any(${ids})`);
      const { undone, left } = await undo(modest, set.id);
      expect(undone).toBe(0);
      expect(new Map(left.map((one: Reply['json']) => [one.id, one.reason]))).toEqual(
        new Map([
          [id, 'not_allowed'],
          [own.id, 'not_allowed'],
        ]),
      );
    });

    it('tells nothing of hidden fields: they stay, and are not named', async () => {
      const deal = await create(admin, 'opportunities', { name: 'D', probability: 10 });
      const set = together(modest);
      await set.put(`/records/opportunities/${deal.id}`, { name: 'E' });
      await admin.put(`/records/opportunities/${deal.id}`, { probability: 20 });
      expect(await undo(modest, set.id)).toMatchObject({ undone: 1, left: [], left_count: 0 });
      expect(await read('opportunities', deal.id)).toMatchObject({ name: 'D', probability: 20 });
      const made = await modest.post('/records/opportunities', { name: 'New' });
      await admin.put(`/records/opportunities/${made.json.id}`, { probability: 20 });
      expect(await undo(modest, setOf(made))).toMatchObject({ undone: 1, left: [], left_count: 0 });
    });
  });
});

async function createAllIn(changeSet: string, count: number): Promise<string[]> {
  const records = Array.from({ length: count }, (_, at) => ({ name: `N${at}` }));
  const reply = await admin.post('/records/companies/batch/create', { records }, { 'change-set': changeSet });
  return reply.json.records.map(({ id }: { id: string }) => id);
}
