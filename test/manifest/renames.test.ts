/** What is renamed keeps its data, and whatever named it. [contract: Workspace manifest] */
import { describe, expect, it } from 'vitest';
import { example } from './example.ts';
import { applied, apply, create, useWorkspaces, type Loose } from './manifests.ts';

const { organization, admin } = useWorkspaces();

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
    const named = (list: readonly { name: string }[], name: string): Loose => list.find((item) => item.name === name);
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
    expect(pulled.pipelines.find((pipeline: Loose) => pipeline.name === 'Delivery').objectName).toBe('ventures');
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
    const workspace = await organization();
    const client = workspace.admin;
    await applied(client, {
      roles: [{ name: 'Clerk', permissions: { '*': { view: 'all', fields: { job_title: 'none' } } } }],
    });
    await applied(client, {
      objects: [{ name: 'contacts', fields: [{ name: 'position', renamedFrom: 'job_title' }] }],
    });
    await create(client, 'contacts', { first_name: 'Ann', position: 'Boss' });
    const clerk = await workspace.user('Clerk');
    const [seen] = (await clerk.get('/records/contacts')).json.data;
    expect(seen).toMatchObject({ first_name: 'Ann' });
    expect(seen).not.toHaveProperty('position');
  });

  it('keeps the rows that a rule for every object admits by the old name', async () => {
    const workspace = await organization();
    const client = workspace.admin;
    const named = { type: 'OR', conditions: [{ field: 'name', operator: 'equals', value: 'Globex' }] };
    const through = { field: 'company_id.name', operator: 'equals', value: 'Globex' };
    const rule = { ...named, conditions: [...named.conditions, through] };
    await applied(client, { roles: [{ name: 'Clerk', permissions: { '*': { view: rule, update: rule } } }] });
    const clerk = await workspace.user('Clerk');
    const company = await create(client, 'companies', { name: 'Globex' });
    await create(client, 'companies', { name: 'Initech' });
    await create(client, 'contacts', { first_name: 'Ann', company_id: company.id });
    await create(client, 'opportunities', { name: 'Globex' });
    const totals = async () =>
      Promise.all(
        ['companies', 'contacts', 'opportunities'].map(
          async (name) => (await clerk.get(`/records/${name}`)).json.total,
        ),
      );
    expect(await totals()).toEqual([1, 1, 1]);
    await applied(client, { objects: [{ name: 'companies', fields: [{ name: 'title', renamedFrom: 'name' }] }] });
    expect(await totals()).toEqual([1, 1, 1]);
    expect((await clerk.put(`/records/companies/${company.id}`, { industry: 'software' })).status).toBe(200);
    expect(await applied(client, (await client.get('/manifest')).json)).toEqual([]);
  });

  it('makes something new where neither name is there, and refuses where both are', async () => {
    const client = await admin();
    const manifest = {
      objects: [{ name: 'b_things', renamedFrom: 'a_things', fields: [{ name: 'name', type: 'TEXT' }] }],
    };
    expect((await applied(client, manifest))[0]).toBe('create object b_things');
    await applied(client, { objects: [{ name: 'a_things', fields: [{ name: 'name', type: 'TEXT' }] }] });
    expect((await apply(client, manifest)).json.field_errors[0].message).toMatch(
      /there are both: "a_things" and "b_things"/,
    );
  });
});
