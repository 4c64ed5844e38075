/** Relations beyond the plain one. [contract: Workspace manifest, Values over the wire] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import type { PermissionEntry } from '../../src/model/model.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, fieldsIn, list } from './records.ts';
import { addComputedField, addObject, addRole, run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE' as const, targetObjectName });
  await addObject(kith, organization, 'cards', {
    name: 'TEXT',
    contact_id: { type: 'RELATION', relationConfig: to('contacts') },
  });
  await addObject(kith, organization, 'projects', {
    name: { type: 'TEXT', isSearchable: true },
    company_id: { type: 'RELATION', relationConfig: to('companies') },
    contact_id: { type: 'DEPENDENT_RELATION', dependsOn: 'company_id', relationConfig: to('contacts') },
    card_id: { type: 'DEPENDENT_RELATION', dependsOn: 'contact_id', relationConfig: to('cards') },
    about: {
      type: 'MORPH_RELATION',
      relationConfig: {
        relationType: 'MORPH_RELATION',
        targetObjectName: 'contacts',
        targetObjectNames: ['contacts', 'companies'],
      },
    },
  });
  for (const [object, inverseField] of [
    ['companies', 'company_id'],
    ['contacts', 'about'],
  ] as const) {
    await addComputedField(kith, organization, object, 'projects', {
      type: 'RELATION',
      isReadonly: true,
      relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'projects', inverseField },
    });
  }
});

afterAll(() => kith.stop());

const get = async (client: Client, object: string, id: string) =>
  (await client.get(`/records/${object}/${id}`)).json.record;

describe('HAS_MANY', () => {
  it('gives the newest hundred of a record, and is in no list and no export', async () => {
    const { id } = await create(admin, 'companies', { name: 'Many' });
    expect((await get(admin, 'companies', id)).projects).toEqual([]);
    const records = Array.from({ length: 103 }, (_, at) => ({ name: `p${at}`, company_id: id }));
    const made = await createAll(admin, 'projects', records);
    const newest = made
      .map((record) => ({ id: record.id, display: record.name }))
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, 100);
    const { projects } = await get(admin, 'companies', id);
    expect(projects).toEqual(newest);
    expect(await list(admin, 'companies')).not.toContainEqual(expect.objectContaining({ projects: expect.anything() }));
    expect((await admin.get('/export/companies', { format: 'csv' })).text.split('\r\n')[0]).not.toContain('projects');
    expectError(await admin.get('/records/companies', { fields: 'projects' }), 'VALIDATION_ERROR');
    expect((await admin.get(`/records/companies/${id}`, { fields: 'projects' })).json.record).toEqual({ id, projects });
  });

  it('is read-only, and what was read can be written back', async () => {
    const { id } = await create(admin, 'companies', { name: 'Back' });
    const project = await create(admin, 'projects', { name: 'One', company_id: id });
    const record = await get(admin, 'companies', id);
    expect((await admin.put(`/records/companies/${id}`, record)).json.record.projects).toEqual([
      { id: project.id, display: 'One' },
    ]);
    expectError(await admin.put(`/records/companies/${id}`, { projects: [] }), 'VALIDATION_ERROR');
  });

  it('holds what the caller may see, and follows a relation that can lead to several objects', async () => {
    await addRole(kith, organization, 'Own projects', {
      '*': { view: 'all' },
      projects: { view: 'own', create: true },
    });
    const own = await organization.user('Own projects');
    const contact = await create(admin, 'contacts', { first_name: 'Ada' });
    const about = { object: 'contacts', id: contact.id };
    const theirs = await create(admin, 'projects', { name: 'Theirs', about });
    const mine = await create(own, 'projects', { name: 'Mine', about });
    const shown = async (client: Client) => (await get(client, 'contacts', contact.id)).projects;
    expect(await shown(own)).toEqual([{ id: mine.id, display: 'Mine' }]);
    expect((await shown(admin)).map((project: { id: string }) => project.id)).toEqual([mine.id, theirs.id]);
    await admin.delete(`/records/projects/${mine.id}`);
    expect(await shown(own)).toEqual([]);
  });

  it('is hidden with the relation that it follows, and empty where the object is out of sight', async () => {
    await addRole(kith, organization, 'No inverse', {
      '*': { view: 'all' },
      projects: { fields: { company_id: 'none' } },
    });
    await addRole(kith, organization, 'No projects', { '*': { view: 'all' }, projects: { view: 'none' } });
    const { id } = await create(admin, 'companies', { name: 'Seen' });
    await create(admin, 'projects', { name: 'Unseen', company_id: id });
    expect(await get(await organization.user('No inverse'), 'companies', id)).not.toHaveProperty('projects');
    expect((await get(await organization.user('No projects'), 'companies', id)).projects).toEqual([]);
  });
});

describe('MORPH_RELATION', () => {
  it('names a record of either object, shows what it is called, and is found by its id', async () => {
    const company = await create(admin, 'companies', { name: 'Acme' });
    const contact = await create(admin, 'contacts', { first_name: 'Bob' });
    for (const [object, { id }, display] of [
      ['companies', company, 'Acme'],
      ['contacts', contact, 'Bob'],
    ] as const) {
      const project = await create(admin, 'projects', { name: display, about: { object, id } });
      expect(project).toMatchObject({ about: { object, id }, about_display: display });
      const found = await list(admin, 'projects', {
        filter_field: 'about',
        filter_operator: 'equals',
        filter_value: id,
      });
      expect(found.map((record) => record.id)).toEqual([project.id]);
    }
  });

  it.each<[string, (company: string) => unknown]>([
    ['no record', () => ({ object: 'companies', id: newId() })],
    ['a record of another object', (company) => ({ object: 'contacts', id: company })],
    ['an object that it does not lead to', (company) => ({ object: 'opportunities', id: company })],
    ['nothing but an id', (company) => company],
  ])('refuses %s', async (_, about) => {
    const company = await create(admin, 'companies', { name: 'Target' });
    const reply = await admin.post('/records/projects', { name: 'x', about: about(company.id) });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual(['about']);
    const batch = await admin.post('/records/projects/batch/create', {
      records: [{ name: 'x', about: about(company.id) }],
    });
    expect(batch.json).toMatchObject({ created: 0, errors: [{ code: 'VALIDATION_ERROR' }] });
  });

  it('keeps a target that went into the trash, without its name, and takes no new one from there', async () => {
    const company = await create(admin, 'companies', { name: 'Gone' });
    const about = { object: 'companies', id: company.id };
    const project = await create(admin, 'projects', { name: 'p', about });
    await admin.delete(`/records/companies/${company.id}`);
    expect(await get(admin, 'projects', project.id)).toMatchObject({ about, about_display: null });
    expect((await admin.put(`/records/projects/${project.id}`, { about, name: 'q' })).status).toBe(200);
    expectError(await admin.post('/records/projects', { name: 'p', about }), 'VALIDATION_ERROR');
  });

  it('is imported by id, by label, and by object and label', async () => {
    const company = await create(admin, 'companies', { name: 'Label Inc' });
    const both = [
      await create(admin, 'companies', { name: 'Twin' }),
      await create(admin, 'contacts', { first_name: 'Twin' }),
    ];
    const rows = [
      ['by id', `companies:${company.id}`, company.id],
      ['by label', 'Label Inc', company.id],
      ['by object and label', 'companies: Label Inc', company.id],
      ['as an object', { object: 'contacts', display: 'Twin' }, both[1].id],
      ['ambiguous', 'Twin', undefined],
      ['unknown', 'Nobody', undefined],
      ['of the wrong object', 'contacts:Label Inc', undefined],
    ] as const;
    const reply = await admin.post('/import/projects', { records: rows.map(([name, about]) => ({ name, about })) });
    expect(reply.json, reply.text).toMatchObject({ created: 4, failed: 3 });
    const stored = new Map((await list(admin, 'projects')).map((record) => [record.name, record.about?.id]));
    for (const [name, , id] of rows) expect(stored.get(name), name).toBe(id);
  });
});

describe('DEPENDENT_RELATION', () => {
  async function pair(name: string) {
    const company = await create(admin, 'companies', { name });
    const contact = await create(admin, 'contacts', { first_name: name, company_id: company.id });
    return { company: company.id as string, contact: contact.id as string };
  }

  it.each<[string, (a: Pair, b: Pair) => object]>([
    ["another parent's", (a, b) => ({ company_id: a.company, contact_id: b.contact })],
    ['one without a parent', (a) => ({ contact_id: a.contact })],
    ['one beside an empty parent', (a) => ({ company_id: null, contact_id: a.contact })],
  ])('refuses a target that is %s, alone and in bulk', async (_, values) => {
    const record = { name: 'x', ...values(await pair('A'), await pair('B')) };
    const reply = await admin.post('/records/projects', record);
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual(['contact_id']);
    const bulk = await admin.post('/records/projects/batch/create', { records: [record] });
    expect(bulk.json.errors[0].field_errors).toEqual(reply.json.field_errors);
  });

  it('takes what fits, alone and in bulk, and keeps it while nothing changes', async () => {
    const { company, contact } = await pair('C');
    const record = { name: 'x', company_id: company, contact_id: contact };
    const made = await create(admin, 'projects', record);
    await createAll(admin, 'projects', [record]);
    const imported = await admin.post('/import/projects', { records: [record] });
    expect(imported.json.created).toBe(1);
    await admin.put(`/records/contacts/${contact}`, { company_id: null });
    const again = await admin.put(`/records/projects/${made.id}`, { ...record, name: 'y' });
    expect(again.json.record).toMatchObject({ name: 'y', contact_id: contact });
    expectError(
      await admin.put(`/records/projects/${made.id}`, { company_id: null, contact_id: contact }),
      'VALIDATION_ERROR',
    );
  });

  it('is judged by the parent that the update leaves', async () => {
    const [a, b] = [await pair('D'), await pair('E')];
    const { id } = await create(admin, 'projects', { name: 'x', company_id: a.company });
    const put = (values: object) => admin.put(`/records/projects/${id}`, values);
    expectError(await put({ contact_id: b.contact }), 'VALIDATION_ERROR');
    expect((await put({ contact_id: a.contact })).status).toBe(200);
    expect((await put({ company_id: b.company, contact_id: b.contact })).json.record.contact_id).toBe(b.contact);
  });

  it('is cleared with what depends on it in turn, also where the role does not see it', async () => {
    await addRole(kith, organization, 'Blind', {
      '*': { view: 'all', create: true, update: 'all' },
      projects: { fields: { contact_id: 'none', company_id: 'read', card_id: 'read' } },
    });
    await addRole(kith, organization, 'Half blind', {
      '*': { view: 'all', create: true, update: 'all' },
      projects: { fields: { contact_id: 'none' } },
    });
    const [a, b] = [await pair('H'), await pair('I')];
    const card = await create(admin, 'cards', { name: 'card', contact_id: a.contact });
    const values = { name: 'x', company_id: a.company, contact_id: a.contact, card_id: card.id };
    const { id } = await create(admin, 'projects', values);
    const half = await organization.user('Half blind');
    expect((await half.put(`/records/projects/${id}`, { company_id: a.company })).json.record.card_id).toBe(card.id);
    expect((await half.put(`/records/projects/${id}`, { company_id: b.company })).json.record.card_id).toBeNull();
    expect((await get(admin, 'projects', id)).contact_id).toBeNull();
    const misfit = await half.put(`/records/projects/${id}`, { card_id: card.id });
    expectError(misfit, 'VALIDATION_ERROR');
    expect(misfit.text).not.toContain('contact_id');
    const blind = await organization.user('Blind');
    expectError(await blind.put(`/records/projects/${id}`, { company_id: a.company }), 'PERMISSION_DENIED');
  });

  it.each<[string, Record<string, PermissionEntry>]>([
    ['relation', { contacts: { fields: { company_id: 'none' } } }],
    ['records', { contacts: { view: 'none' } }],
  ])("tells nothing of the target's hidden %s", async (what, entries) => {
    await addRole(kith, organization, `Without ${what}`, {
      '*': { view: 'all', create: true, update: 'all' },
      ...entries,
    });
    const user = await organization.user(`Without ${what}`);
    const [a, b] = [await pair('J'), await pair('K')];
    const { id } = await create(admin, 'projects', { name: 'x' });
    const put = (values: object) => user.put(`/records/projects/${id}`, values);
    const fitting = await put({ company_id: a.company, contact_id: a.contact });
    expectError(fitting, 'VALIDATION_ERROR');
    expect((await put({ company_id: b.company, contact_id: a.contact })).text).toBe(fitting.text);
    await admin.put(`/records/projects/${id}`, { company_id: a.company, contact_id: a.contact });
    expect((await put({ company_id: a.company, contact_id: a.contact })).status, 'what is there may stay').toBe(200);
    await admin.put(`/records/contacts/${a.contact}`, { company_id: b.company });
    expect((await put({ company_id: b.company })).json.record).toMatchObject({ contact_id: null });
    const bulk = { records: [{ name: 'y', company_id: b.company, contact_id: b.contact }] };
    expect((await user.post('/records/projects/batch/create', bulk)).json).toMatchObject({ created: 0, failed: 1 });
  });

  it.each([10, 20])('is settled in a chain of %i, each as the one above it leaves it', async (length) => {
    const to = { relationType: 'BELONGS_TO_ONE' as const, targetObjectName: `steps_${length}` };
    await addObject(kith, organization, `steps_${length}`, {
      name: 'TEXT',
      up: { type: 'RELATION', relationConfig: to },
    });
    const keys = Array.from({ length: length + 1 }, (_, at) => `c${at}`);
    const children = keys
      .slice(1)
      .map((key, at) => [key, { type: 'DEPENDENT_RELATION' as const, dependsOn: `c${at}`, relationConfig: to }]);
    await addObject(kith, organization, `chains_${length}`, {
      name: 'TEXT',
      c0: { type: 'RELATION', relationConfig: to },
      ...Object.fromEntries(children),
    });
    const steps: { id: string }[] = [];
    for (const name of keys) steps.push(await create(admin, to.targetObjectName, { name, up: steps.at(-1)?.id }));
    const whole = Object.fromEntries(keys.map((key, at) => [key, steps[at]?.id]));
    const made = await create(admin, `chains_${length}`, whole);
    const put = (values: object) => admin.put(`/records/chains_${length}/${made.id}`, values);
    const kept = async (values: object) => {
      const { json, text } = await put(values);
      expect(json.record, text).toBeDefined();
      return keys.filter((key) => json.record[key] !== null);
    };
    expect(await kept({ c0: steps[0]?.id })).toEqual(keys);
    expect(await kept({ [`c${length}`]: steps[length]?.id })).toEqual(keys);
    const other = await create(admin, to.targetObjectName, { name: 'other', up: steps[3]?.id });
    expect(await kept({ c4: other.id })).toEqual(keys.slice(0, 5));
    const refused = await put({ c5: steps[5]?.id });
    expectError(refused, 'VALIDATION_ERROR');
    expect(fieldsIn(refused)).toEqual(['c5']);
    expect(await kept(whole)).toEqual(keys);
    expect(await kept({ c0: null })).toEqual([]);
  });

  it('is cleared by a parent that changes, in one history row, unless it still fits', async () => {
    const [a, b] = [await pair('F'), await pair('G')];
    const { id } = await create(admin, 'projects', { name: 'x', company_id: a.company, contact_id: a.contact });
    const kept = await admin.put(`/records/projects/${id}`, { company_id: a.company, name: 'z' });
    expect(kept.json.record.contact_id).toBe(a.contact);
    const cleared = await admin.put(`/records/projects/${id}`, { company_id: b.company });
    expect(cleared.json.record).toMatchObject({ company_id: b.company, contact_id: null, contact_id_display: null });
    const history = await run(
      kith,
      organization,
      sql`select before from ${identifier(organization.schema, '_history')} where record_id = ${id}::uuid order by id`,
    );
    const fields = await run(
      kith,
      organization,
      sql`select id, name from ${identifier(organization.schema, '_fields')} where name in ('company_id', 'contact_id', 'name')`,
    );
    const names = new Map(fields.map(([field, name]) => [field, name]));
    const before = Object.entries(JSON.parse(history.at(-1)?.[0] ?? '{}')).map(([field, was]) => [
      names.get(field),
      was,
    ]);
    expect(Object.fromEntries(before)).toEqual({ company_id: a.company, contact_id: a.contact });
  });
});

interface Pair {
  readonly company: string;
  readonly contact: string;
}
