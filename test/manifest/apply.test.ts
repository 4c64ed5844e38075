/** Manifests over REST: what they make, change and leave alone. [contract: Workspace manifest] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { example } from './example.ts';

let kith: TestKith;
beforeAll(async () => {
  kith = await startKith();
}, 60_000);
afterAll(() => kith.stop());

async function admin(): Promise<Client> {
  return (await kith.organization()).admin;
}

async function apply(client: Client, manifest: object, query = ''): Promise<Reply> {
  return client.post(`/manifest${query}`, manifest);
}

/** Applies and expects that it went well; the changes as `action kind name`. */
async function applied(client: Client, manifest: object, query = ''): Promise<readonly string[]> {
  const reply = await apply(client, manifest, query);
  expect(reply.json, reply.text).toHaveProperty('changes');
  const changes: readonly Record<string, string>[] = reply.json.changes;
  return changes.map(({ action, kind, name, from }) => [action, kind, ...(from ? [from, '→'] : []), name].join(' '));
}

async function create(client: Client, object: string, values: object): Promise<Record<string, any>> {
  const reply = await client.post(`/records/${object}`, values);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.record;
}

async function fieldOf(client: Client, object: string, name: string): Promise<Record<string, any> | undefined> {
  const { json } = await client.get(`/schema/${object}`);
  return json.fields.find((field: { name: string }) => field.name === name);
}

describe("the contract's example", () => {
  it('is planned, applied once, and pulled as what it made', async () => {
    const client = await admin();
    const planned = await apply(client, example, '?dry_run=true');
    expect((await client.get('/schema/projects')).status).toBe(404);
    const changes = await apply(client, example);
    expect(changes.json).toEqual(planned.json);
    expect(changes.json.changes).toContainEqual({ action: 'create', kind: 'field', name: 'budget', object: 'projects' });
    expect(await applied(client, example)).toEqual([]);
    const pulled = (await client.get('/manifest')).json;
    expect(await applied(client, pulled, '?dry_run=true')).toEqual([]);
    expect(pulled.objects.map((object: { name: string }) => object.name)).toEqual([
      'contacts',
      'companies',
      'opportunities',
      'projects',
    ]);
    expect(pulled.roles.find((role: { name: string }) => role.name === 'Rep')).toEqual(example.roles[0]);
  });

  it('serves what it describes, with owner and created_by', async () => {
    const client = await admin();
    await applied(client, example);
    const company = await create(client, 'companies', { name: 'Globex' });
    const contact = await create(client, 'contacts', { first_name: 'Ann', company_id: company['id'] });
    const project = await create(client, 'projects', {
      name: 'Roof',
      company_id: company['id'],
      contact_id: contact['id'],
      members: [{ id: contact['id'], role: 'lead' }],
      about: { object: 'contacts', id: contact['id'] },
      budget: 100,
      share: 25,
      tags: ['a'],
    });
    expect(project).toMatchObject({
      stage: 'new',
      owner: client.workspaceUserId,
      created_by: client.workspaceUserId,
      company_id_display: 'Globex',
      pipeline_step_id_display: 'Scoping',
      budget: { amount: 100, currency: 'USD' },
      members: [{ id: contact['id'], display: 'Ann', role: 'lead' }],
    });
    expect(Number(project['weighted'])).toBe(25);
    expect((await client.get('/records/projects', { search: 'roof' })).json.total).toBe(1);
  });

  it('pulls a fresh workspace as one that changes nothing', async () => {
    const client = await admin();
    const pulled = (await client.get('/manifest')).json;
    expect(await applied(client, pulled)).toEqual([]);
    const other = await admin();
    const { organization: _, ...rest } = pulled;
    expect(await applied(other, rest)).toEqual([]);
  });

  it('is for admins', async () => {
    const organization = await kith.organization();
    const member = await organization.user('Member');
    expect((await apply(member, {})).json.code).toBe('PERMISSION_DENIED');
    expect((await member.get('/manifest')).json.code).toBe('PERMISSION_DENIED');
  });
});

describe('what a manifest does not name', () => {
  it('stays: keys, fields, options, roles', async () => {
    const client = await admin();
    await applied(client, example);
    const before = (await client.get('/manifest')).json;
    expect(
      await applied(client, { objects: [{ name: 'projects', fields: [{ name: 'code', label: 'Number' }] }] }),
    ).toEqual(['update field code']);
    expect(await fieldOf(client, 'projects', 'code')).toMatchObject({ label: 'Number', isUnique: true, type: 'TEXT' });
    expect(
      await applied(client, { objects: [{ name: 'projects', fields: [{ name: 'code', label: 'Code' }] }] }),
    ).toEqual(['update field code']);
    expect((await client.get('/manifest')).json).toEqual(before);
  });

  it('takes a label, a display field and a place of its own choosing for what is new', async () => {
    const client = await admin();
    await applied(client, {
      objects: [{ name: 'site_visits', fields: [{ name: 'visited_on', type: 'DATE' }, { name: 'title', type: 'TEXT' }] }],
    });
    const schema = (await client.get('/schema/site_visits')).json;
    expect(schema).toMatchObject({ label: 'Site visits', labelSingular: 'Site visit' });
    expect(schema.fields.map((field: { name: string }) => field.name)).toEqual([
      'visited_on',
      'title',
      'owner',
      'created_by',
      'created_at',
      'updated_at',
    ]);
    const { objects } = (await client.get('/manifest')).json;
    expect(objects.at(-1).displayField).toBe('title');
  });

  it('keeps settings but those that are named', async () => {
    const client = await admin();
    expect(await applied(client, { organization: { currency: 'EUR' } })).toEqual(['update organization Test']);
    const company = await create(client, 'companies', { name: 'A', annual_revenue: 5 });
    expect(company['annual_revenue']).toEqual({ amount: 5, currency: 'EUR' });
  });
});

describe('renaming', () => {
  it('keeps the data of every kind of field, and every reference', async () => {
    const client = await admin();
    await applied(client, example);
    const company = await create(client, 'companies', { name: 'Globex' });
    const contact = await create(client, 'contacts', { first_name: 'Ann', company_id: company['id'] });
    const project = await create(client, 'projects', {
      name: 'Roof',
      company_id: company['id'],
      budget: { amount: 7, currency: 'EUR' },
      share: 50,
      members: [{ id: contact['id'], role: 'lead' }],
      about: { object: 'companies', id: company['id'] },
    });
    const renaming = {
      objects: [
        {
          name: 'ventures',
          renamedFrom: 'projects',
          fields: [
            { name: 'title', renamedFrom: 'name' },
            { name: 'cost', renamedFrom: 'budget' },
            { name: 'portion', renamedFrom: 'share' },
            { name: 'firm', renamedFrom: 'company_id' },
            { name: 'team', renamedFrom: 'members', junctionFields: [{ name: 'part', renamedFrom: 'role' }] },
            { name: 'topic', renamedFrom: 'about' },
            { name: 'state', renamedFrom: 'phase' },
          ],
        },
        { name: 'companies', fields: [{ name: 'trade', renamedFrom: 'industry' }] },
      ],
    };
    expect(await applied(client, renaming)).toEqual(
      expect.arrayContaining(['rename object projects → ventures', 'rename field budget → cost']),
    );
    expect(await applied(client, renaming)).toEqual([]);
    expect((await client.get(`/records/projects/${project['id']}`)).json.code).toBe('INVALID_OBJECT');
    const { record } = (await client.get(`/records/ventures/${project['id']}`)).json;
    expect(record).toMatchObject({
      title: 'Roof',
      cost: { amount: 7, currency: 'EUR' },
      weighted: 3.5,
      firm_display: 'Globex',
      team: [{ id: contact['id'], part: 'lead' }],
      pipeline_step_id_display: 'Scoping',
      topic: { object: 'companies', id: company['id'] },
    });
    const pulled = (await client.get('/manifest')).json;
    const named = (list: readonly { name: string }[], name: string): any => list.find((item) => item.name === name);
    const ventures = named(pulled.objects, 'ventures');
    expect(ventures.displayField).toBe('title');
    expect(named(ventures.fields, 'weighted').calculation.expression).toBe('cost * portion / 100');
    expect(named(ventures.fields, 'contact_id').dependsOn).toBe('firm');
    expect(named(named(pulled.objects, 'companies').fields, 'project_total').rollup).toEqual({
      objectName: 'ventures',
      relationField: 'firm',
      function: 'SUM',
      field: 'cost',
    });
    expect(named(pulled.roles, 'Rep').permissions).toMatchObject({
      ventures: { fields: { cost: 'read', portion: 'none' } },
      companies: { view: { conditions: [{ field: 'trade' }] } },
    });
    const { steps } = named(pulled.pipelines, 'Delivery');
    expect(steps[1]).toMatchObject({ default_values: { portion: 50 }, questions: [{ linked_field_name: 'portion' }] });
    expect(pulled.pipelines.find((pipeline: any) => pipeline.name === 'Delivery').objectName).toBe('ventures');
    expect(await applied(client, pulled)).toEqual([]);
  });

  it('follows a name into what MORPH_RELATION stores', async () => {
    const client = await admin();
    await applied(client, {
      objects: [
        { name: 'sites', fields: [{ name: 'name', type: 'TEXT' }] },
        {
          name: 'visits',
          fields: [
            { name: 'name', type: 'TEXT' },
            { name: 'about', type: 'MORPH_RELATION', relationConfig: { targetObjectNames: ['sites', 'contacts'] } },
          ],
        },
      ],
    });
    const site = await create(client, 'sites', { name: 'Yard' });
    const visit = await create(client, 'visits', { name: 'V', about: { object: 'sites', id: site['id'] } });
    await applied(client, { objects: [{ name: 'places', renamedFrom: 'sites' }] });
    const { record } = (await client.get(`/records/visits/${visit['id']}`)).json;
    expect(record).toMatchObject({ about: { object: 'places', id: site['id'] }, about_display: 'Yard' });
  });

  it('keeps hidden what a role hides everywhere by its old name', async () => {
    const organization = await kith.organization();
    const client = organization.admin;
    await applied(client, {
      roles: [{ name: 'Clerk', permissions: { '*': { view: 'all', fields: { job_title: 'none' } } } }],
    });
    await applied(client, { objects: [{ name: 'contacts', fields: [{ name: 'position', renamedFrom: 'job_title' }] }] });
    await create(client, 'contacts', { first_name: 'Ann', position: 'Boss' });
    const clerk = await organization.user('Clerk');
    const [seen] = (await clerk.get('/records/contacts')).json.data;
    expect(seen).toMatchObject({ first_name: 'Ann' });
    expect(seen).not.toHaveProperty('position');
  });

  it('makes something new where neither name is there, and refuses where both are', async () => {
    const client = await admin();
    const manifest = { objects: [{ name: 'b_things', renamedFrom: 'a_things', fields: [{ name: 'name', type: 'TEXT' }] }] };
    expect((await applied(client, manifest))[0]).toBe('create object b_things');
    await applied(client, { objects: [{ name: 'a_things', fields: [{ name: 'name', type: 'TEXT' }] }] });
    expect((await apply(client, manifest)).json.field_errors[0].message).toMatch(/there are both: "a_things" and "b_things"/);
  });
});

describe('what would lose data', () => {
  async function stocked(): Promise<Client> {
    const client = await admin();
    await applied(client, example);
    const contact = await create(client, 'contacts', { first_name: 'Ann' });
    await create(client, 'projects', { name: 'One', stage: 'done', tags: ['a'], budget: 5, members: [contact['id']] });
    await create(client, 'projects', { name: 'Two', stage: 'new', code: '7' });
    return client;
  }
  const inProjects = (...fields: readonly object[]) => ({ objects: [{ name: 'projects', fields }] });

  it.each<[string, object, number]>([
    ['an object', { objects: [{ name: 'projects', absent: true }, { name: 'companies', fields: [{ name: 'project_total', absent: true }] }] }, 2],
    ['a field', inProjects({ name: 'code', absent: true }), 1],
    ['links', inProjects({ name: 'members', absent: true }), 1],
    ['an option', inProjects({ name: 'stage', defaultValue: null, options: [{ value: 'new' }] }), 1],
    ['an option of several', inProjects({ name: 'tags', options: [] }), 1],
    ['values of another type', inProjects({ name: 'name', type: 'INTEGER', isSearchable: false }), 2],
    ['a target', inProjects({ name: 'members', relationConfig: { targetObjectName: 'companies' } }), 1],
    ['a step', { pipelines: [{ name: 'Delivery', objectName: 'projects', steps: [{ name: 'Build' }] }] }, 2],
    ['a pipeline', { pipelines: [{ name: 'Delivery', objectName: 'projects', absent: true }] }, 2],
  ])('is refused: %s', async (_, manifest, rows) => {
    const client = await stocked();
    const before = (await client.get('/manifest')).json;
    const records = (await client.get('/records/projects', { sort_by: 'name' })).text;
    const planned = await apply(client, manifest, '?dry_run=true');
    expect(planned.json.changes.some((change: { rows?: number }) => change.rows === rows), planned.text).toBe(true);
    const refused = await apply(client, manifest);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ code: 'DESTRUCTIVE_CHANGE' });
    expect(refused.json.message).toContain(`${rows} row`);
    expect((await client.get('/manifest')).json).toEqual(before);
    expect((await client.get('/records/projects', { sort_by: 'name' })).text).toBe(records);
    await applied(client, manifest, '?allow_destroy=true');
    expect(await applied(client, manifest)).toEqual([]);
    const pulled = (await client.get('/manifest')).json;
    expect(await applied(client, pulled)).toEqual([]);
  });

  it('takes only what it must', async () => {
    const client = await stocked();
    await applied(client, inProjects({ name: 'stage', defaultValue: null, options: [{ value: 'new' }] }), '?allow_destroy=true');
    const { data } = (await client.get('/records/projects', { sort_by: 'name', sort_dir: 'asc' })).json;
    expect(data.map((record: any) => [record.name, record.stage])).toEqual([
      ['One', null],
      ['Two', 'new'],
    ]);
    await applied(client, inProjects({ name: 'tags', options: [] }), '?allow_destroy=true');
    expect((await client.get('/records/projects', { search: 'one' })).json.data[0].tags).toEqual([]);
  });

  it('is nothing where no row has a value: another set of options', async () => {
    const client = await admin();
    await applied(client, {
      objects: [
        { name: 'contacts', fields: [{ name: 'tags', label: 'Tags', type: 'MULTI_SELECT', options: [{ value: 'x', label: 'x' }] }] },
        { name: 'opportunities', fields: [{ name: 'stage', label: 'Stage', type: 'SELECT', options: [{ value: 'open' }] }] },
      ],
    });
    expect((await create(client, 'contacts', { first_name: 'A', tags: ['x'] }))['tags']).toEqual(['x']);
    expect((await client.post('/records/contacts', { tags: ['vip'] })).json.code).toBe('VALIDATION_ERROR');
  });
});

describe('changing fields that have values', () => {
  it('casts what another type can hold', async () => {
    const client = await admin();
    const field = (type: string, more: object = {}) => ({
      objects: [{ name: 'items', fields: [{ name: 'name', type: 'TEXT' }, { name: 'value', type, ...more }] }],
    });
    await applied(client, field('INTEGER', { isUnique: true }));
    const { id } = await create(client, 'items', { name: 'A', value: 3 });
    expect(await applied(client, field('DECIMAL'))).toEqual(['update field value']);
    expect((await client.get(`/records/items/${id}`)).json.record.value).toBe(3);
    expect((await client.post('/records/items', { value: 3 })).json.code).toBe('DUPLICATE_RECORD');
    await create(client, 'items', { name: 'B', value: 2.5 });
    const refused = await apply(client, field('INTEGER'));
    expect(refused.json).toMatchObject({ code: 'DESTRUCTIVE_CHANGE' });
    expect(refused.json.message).toContain('1 row');
  });

  it('makes a choice of a text, and several of one', async () => {
    const client = await admin();
    const field = (type: string, more: object = {}) => ({
      objects: [{ name: 'items', fields: [{ name: 'name', type: 'TEXT' }, { name: 'value', type, ...more }] }],
    });
    await applied(client, field('TEXT'));
    const { id } = await create(client, 'items', { name: 'A', value: 'red' });
    await applied(client, field('SELECT', { options: [{ value: 'red' }, { value: 'blue' }] }));
    expect((await client.get('/records/items', { filters: { field: 'value', operator: 'equals', value: 'Red' } })).json.total).toBe(1);
    await applied(client, field('MULTI_SELECT'));
    expect((await client.get(`/records/items/${id}`)).json.record.value).toEqual(['red']);
  });

  it('makes unique only what is', async () => {
    const client = await admin();
    const unique = { objects: [{ name: 'companies', fields: [{ name: 'domain', isUnique: true }] }] };
    const emails = { objects: [{ name: 'contacts', fields: [{ name: 'emails', isUnique: true }] }] };
    await create(client, 'companies', { name: 'A', domain: 'https://a.test' });
    const twin = await create(client, 'companies', { name: 'B', domain: 'https://a.test' });
    expect((await apply(client, unique)).json).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('(1)') });
    await client.delete(`/records/companies/${twin['id']}`);
    expect(await applied(client, unique)).toEqual(['update field domain']);
    expect((await client.post('/records/companies', { name: 'C', domain: 'https://a.test' })).json.code).toBe('DUPLICATE_RECORD');
    await create(client, 'contacts', { first_name: 'A', emails: ['x@y.test', 'z@y.test'] });
    expect(await applied(client, emails)).toEqual(['update field emails']);
    expect((await client.post('/records/contacts', { emails: ['Z@y.test'] })).json.code).toBe('DUPLICATE_RECORD');
  });

  it('finds by a field that has become searchable, and no more by one that is not', async () => {
    const client = await admin();
    const searchable = (isSearchable: boolean) => ({
      objects: [{ name: 'items', fields: [{ name: 'name', type: 'TEXT', isSearchable: true }, { name: 'note', type: 'LONG_TEXT', isSearchable }] }],
    });
    await applied(client, searchable(false));
    await create(client, 'items', { name: 'Alpha', note: 'hidden treasure' });
    const found = async (search: string) => (await client.get('/records/items', { search })).json.total;
    expect(await found('treasure')).toBe(0);
    await applied(client, searchable(true));
    expect(await found('treasure')).toBe(1);
    expect(await found('alpha hidden')).toBe(1);
    await applied(client, searchable(false));
    expect(await found('treasure')).toBe(0);
    expect(await found('alpha')).toBe(1);
  });

  it('may make required what some rows lack: it counts for writes from then on', async () => {
    const client = await admin();
    const { id } = await create(client, 'contacts', { first_name: 'Ann' });
    await applied(client, { objects: [{ name: 'contacts', fields: [{ name: 'job_title', isRequired: true }] }] });
    expect((await client.put(`/records/contacts/${id}`, { first_name: 'Anna' })).status).toBe(200);
    expect((await client.post('/records/contacts', { first_name: 'Bob' })).json.code).toBe('VALIDATION_ERROR');
  });
});

describe('roles and pipelines', () => {
  it('hold from the next request on', async () => {
    const organization = await kith.organization();
    const viewer = await organization.user('Viewer');
    expect((await viewer.post('/records/contacts', { first_name: 'A' })).json.code).toBe('PERMISSION_DENIED');
    await applied(organization.admin, { roles: [{ name: 'Viewer', permissions: { '*': { view: 'all', create: true } } }] });
    expect((await viewer.post('/records/contacts', { first_name: 'A' })).status).toBe(200);
  });

  it('cannot lose a role that somebody has, nor the last admin', async () => {
    const organization = await kith.organization();
    await organization.user('Viewer');
    const refused = await apply(organization.admin, { roles: [{ name: 'Viewer', absent: true }] });
    expect(refused.json).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('Viewer') });
    expect((await apply(organization.admin, { roles: [{ name: 'Admin', isAdmin: false }] })).json.code).toBe('VALIDATION_ERROR');
    expect(await applied(organization.admin, { roles: [{ name: 'Member', absent: true }] })).toEqual(['remove role Member']);
  });

  it('keep one default pipeline per object and the ids of steps that stay', async () => {
    const client = await admin();
    const record = await create(client, 'opportunities', { name: 'Deal' });
    const pipelines = [
      { name: 'Renewals', objectName: 'opportunities', isDefault: true, steps: [{ name: 'Due' }, { name: 'Done', kind: 'won' }] },
      {
        name: 'Sales',
        objectName: 'opportunities',
        steps: [{ name: 'First call', renamedFrom: 'Lead' }, { name: 'Won', kind: 'won' }, { name: 'Lost', kind: 'lost' }],
      },
    ];
    await applied(client, { pipelines });
    expect(await applied(client, { pipelines })).toEqual([]);
    const kept = (await client.get(`/records/opportunities/${record['id']}`)).json.record;
    expect(kept).toMatchObject({ pipeline_step_id: record['pipeline_step_id'], pipeline_step_id_display: 'First call' });
    expect((await create(client, 'opportunities', { name: 'Other' }))['pipeline_step_id_display']).toBe('Due');
    const pulled = (await client.get('/manifest')).json.pipelines;
    expect(pulled.map((pipeline: any) => [pipeline.name, pipeline.isDefault])).toEqual([
      ['Sales', false],
      ['Renewals', true],
    ]);
    await applied(client, { pipelines: [{ name: 'Renewals', objectName: 'opportunities', absent: true }] }, '?allow_destroy=true');
    expect((await client.get('/manifest')).json.pipelines[0].isDefault).toBe(true);
  });
});
