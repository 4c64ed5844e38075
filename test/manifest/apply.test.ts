/** Manifests over REST: what they make, and leave alone. [contract: Workspace manifest] */
import { describe, expect, it } from 'vitest';
import { example } from './example.ts';
import { applied, apply, create, fieldOf, useWorkspaces, type Loose } from './manifests.ts';

const { organization, admin } = useWorkspaces();

describe("the contract's example", () => {
  it('is planned, applied once, and pulled as what it made', async () => {
    const client = await admin();
    const planned = await apply(client, example, '?dry_run=true');
    expect((await client.get('/schema/projects')).status).toBe(404);
    const changes = await apply(client, example);
    expect(changes.json).toEqual(planned.json);
    expect(changes.json.changes).toContainEqual({
      action: 'create',
      kind: 'field',
      name: 'budget',
      object: 'projects',
    });
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

  it.each([false, 0])('keeps %j as a default', async (value) => {
    const client = await admin();
    const type = typeof value === 'boolean' ? 'BOOLEAN' : 'INTEGER';
    const field = { name: 'flag', type, defaultValue: value };
    await applied(client, { objects: [{ name: 'things', fields: [{ name: 'name', type: 'TEXT' }, field] }] });
    expect(await create(client, 'things', { name: 'x' })).toMatchObject({ flag: value });
    expect(await applied(client, (await client.get('/manifest')).json)).toEqual([]);
  });

  it('is for admins', async () => {
    const workspace = await organization();
    const member = await workspace.user('Member');
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
      objects: [
        {
          name: 'site_visits',
          fields: [
            { name: 'visited_on', type: 'DATE' },
            { name: 'title', type: 'TEXT' },
          ],
        },
      ],
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

describe('roles and pipelines', () => {
  it('hold from the next request on', async () => {
    const workspace = await organization();
    const viewer = await workspace.user('Viewer');
    expect((await viewer.post('/records/contacts', { first_name: 'A' })).json.code).toBe('PERMISSION_DENIED');
    await applied(workspace.admin, {
      roles: [{ name: 'Viewer', permissions: { '*': { view: 'all', create: true } } }],
    });
    expect((await viewer.post('/records/contacts', { first_name: 'A' })).status).toBe(200);
  });

  it('cannot lose a role that somebody has, nor the last admin', async () => {
    const workspace = await organization();
    await workspace.user('Viewer');
    const refused = await apply(workspace.admin, { roles: [{ name: 'Viewer', absent: true }] });
    expect(refused.json).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('Viewer') });
    expect((await apply(workspace.admin, { roles: [{ name: 'Admin', isAdmin: false }] })).json.code).toBe(
      'VALIDATION_ERROR',
    );
    expect(await applied(workspace.admin, { roles: [{ name: 'Member', absent: true }] })).toEqual([
      'remove role Member',
    ]);
  });

  it('keep one default pipeline per object and the ids of steps that stay', async () => {
    const client = await admin();
    const record = await create(client, 'opportunities', { name: 'Deal' });
    const pipelines = [
      {
        name: 'Renewals',
        objectName: 'opportunities',
        isDefault: true,
        steps: [{ name: 'Due' }, { name: 'Done', kind: 'won' }],
      },
      {
        name: 'Sales',
        objectName: 'opportunities',
        steps: [
          { name: 'First call', renamedFrom: 'Lead' },
          { name: 'Won', kind: 'won' },
          { name: 'Lost', kind: 'lost' },
        ],
      },
    ];
    await applied(client, { pipelines });
    expect(await applied(client, { pipelines })).toEqual([]);
    const kept = (await client.get(`/records/opportunities/${record['id']}`)).json.record;
    expect(kept).toMatchObject({
      pipeline_step_id: record['pipeline_step_id'],
      pipeline_step_id_display: 'First call',
    });
    expect((await create(client, 'opportunities', { name: 'Other' }))['pipeline_step_id_display']).toBe('Due');
    const pulled = (await client.get('/manifest')).json.pipelines;
    expect(pulled.map((pipeline: Loose) => [pipeline.name, pipeline.isDefault])).toEqual([
      ['Sales', false],
      ['Renewals', true],
    ]);
    await applied(
      client,
      { pipelines: [{ name: 'Renewals', objectName: 'opportunities', absent: true }] },
      '?allow_destroy=true',
    );
    expect((await client.get('/manifest')).json.pipelines[0].isDefault).toBe(true);
  });
});
