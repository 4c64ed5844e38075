/** [spec: Record in a pipeline] Writes that name the step by the PIPELINE field's own name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, createAll, expectError, fieldsIn } from './records.ts';

const seesAll = { '*': { view: 'all', create: true, update: 'all', delete: 'all' } };
const limited = (name: string, fields: Record<string, string>) => ({
  name,
  isAdmin: false,
  permissions: { ...seesAll, projects: { fields } },
});

const manifest = {
  objects: [
    {
      name: 'projects',
      label: 'Projects',
      labelSingular: 'Project',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT' },
        { name: 'budget', label: 'Budget', type: 'NUMBER' },
        { name: 'phase', label: 'Phase', type: 'PIPELINE' },
        { name: 'owner', label: 'Owner', type: 'USERS' },
        { name: 'created_by', label: 'Created by', type: 'USERS', isReadonly: true },
      ],
    },
    {
      name: 'orders',
      label: 'Orders',
      labelSingular: 'Order',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT' },
        { name: 'state', label: 'State', type: 'PIPELINE', isRequired: true },
        { name: 'owner', label: 'Owner', type: 'USERS' },
        { name: 'created_by', label: 'Created by', type: 'USERS', isReadonly: true },
      ],
    },
  ],
  pipelines: [
    {
      name: 'Delivery',
      objectName: 'projects',
      isDefault: true,
      steps: [
        {
          name: 'Scoping',
          kind: 'ongoing',
          questions: [{ linked_field_name: 'budget', required_for_next_stage: true }],
        },
        { name: 'Build', kind: 'ongoing', default_values: { budget: 7 } },
        { name: 'Done', kind: 'won' },
      ],
    },
    {
      name: 'Support',
      objectName: 'projects',
      steps: [
        { name: 'Open', kind: 'ongoing' },
        { name: 'Done', kind: 'won' },
      ],
    },
    {
      name: 'Orders',
      objectName: 'orders',
      isDefault: true,
      steps: [
        { name: 'New', kind: 'ongoing' },
        { name: 'Sent', kind: 'won' },
      ],
    },
  ],
  roles: [
    limited('Blind', { phase: 'none' }),
    limited('Blind to the step', { pipeline_step_id: 'none' }),
    limited('Reader', { phase: 'read' }),
    limited('Reader of the step', { pipeline_step_id: 'read' }),
  ],
};

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
/** Ids of steps, as `Support/Done`. */
const steps = new Map<string, string>();

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, manifest);
  for (const pipeline of (await admin.get('/pipelines')).json.pipelines)
    for (const step of pipeline.steps) steps.set(`${pipeline.name}/${step.name}`, step.id);
});
afterAll(() => kith.stop());

const project = (values: object = {}) => create(admin, 'projects', { name: 'A project', ...values });
const put = (id: string, values: object, client = admin) => client.put(`/records/projects/${id}`, values);

/** That the write was refused for these fields, and what would be right. */
function expectRefused(reply: Reply, fields: readonly string[], available?: readonly unknown[]): void {
  expectError(reply, 'VALIDATION_ERROR');
  expect(fieldsIn(reply)).toEqual(fields);
  expect(reply.json.available_values).toEqual(available);
}

describe('create', () => {
  it.each(['Build', 'build', ' Build ', 'Delivery/Build'])('RECO-04: takes the step %j', async (given) => {
    const record = await project({ phase: steps.get(given) ?? given });
    expect(record).toMatchObject({ pipeline_id_display: 'Delivery', pipeline_step_id_display: 'Build', budget: 7 });
    expect(record).not.toHaveProperty('phase');
  });

  it('takes the step of a built-in object', async () => {
    expect(await create(admin, 'opportunities', { name: 'Deal', pipeline: 'Won' })).toMatchObject({
      pipeline_step_id_display: 'Won',
    });
  });

  it('enters the pipeline of a step that no other has', async () => {
    expect(await project({ phase: 'Open' })).toMatchObject({ pipeline_id_display: 'Support' });
  });

  it.each(['phase', 'pipeline_id'])(
    'takes a step of the pipeline that is given beside it, with %s first',
    async (first) => {
      const values = { [first]: null, phase: 'Done', pipeline_id: 'Support' };
      expect((await project(values)).pipeline_step_id).toBe(steps.get('Support/Done'));
    },
  );

  it('takes null as the step column does: the record begins at the first step', async () => {
    expect(await project({ phase: null })).toMatchObject({ pipeline_step_id_display: 'Scoping' });
    expect(await project({ pipeline_step_id: null })).toMatchObject({ pipeline_step_id_display: 'Scoping' });
    const reply = await admin.post('/records/orders', { name: 'x', state: null });
    expectRefused(reply, ['state']);
    expect(reply.json.message).toBe('state is required');
  });

  it('needs no step where the field is required', async () => {
    expect(await create(admin, 'orders', { name: 'x' })).toMatchObject({ pipeline_step_id_display: 'New' });
  });

  it('takes it beside the same step, and refuses it beside another', async () => {
    const same = { phase: 'Build', pipeline_step_id: steps.get('Delivery/Build') };
    expect(await project(same)).toMatchObject({ pipeline_step_id_display: 'Build' });
    const reply = await admin.post('/records/projects', { name: 'x', phase: 'Build', pipeline_step_id: 'Open' });
    expectRefused(reply, ['phase']);
    expect(reply.json.message).toBe('phase is another step than pipeline_step_id');
  });

  it('refuses an unknown step with those there are, of the pipeline where one is given', async () => {
    const post = (values: object) => admin.post('/records/projects', { name: 'x', ...values });
    expectRefused(await post({ phase: 'Bild' }), ['phase'], ['Scoping', 'Build', 'Done', 'Open']);
    expectRefused(await post({ phase: 'Build', pipeline_id: 'Support' }), ['phase'], ['Open', 'Done']);
    const ofAnother = steps.get('Delivery/Build');
    expectRefused(await post({ phase: ofAnother, pipeline_id: 'Support' }), ['phase'], ['Open', 'Done']);
    expectRefused(await post({ phase: 5 }), ['phase'], ['Scoping', 'Build', 'Done', 'Open']);
    expectRefused(await post({ phase: 'Done', pipeline_id: 'Nowhere' }), ['pipeline_id'], ['Delivery', 'Support']);
  });

  it('refuses a name that several steps have with the ids of these', async () => {
    const reply = await admin.post('/records/projects', { name: 'x', phase: 'Done' });
    expectRefused(reply, ['phase'], [steps.get('Delivery/Done'), steps.get('Support/Done')]);
  });
});

describe('batch create', () => {
  it('takes it in each row', async () => {
    const made = await createAll(admin, 'projects', [{ phase: 'Build' }, { phase: 'Open' }]);
    expect(made.map((record) => record.pipeline_step_id_display)).toEqual(['Build', 'Open']);
    const reply = await admin.post('/records/projects/batch/create', { records: [{ phase: 'Done' }, {}] });
    expect(reply.json).toMatchObject({ created: 1, failed: 1, errors: [{ index: 0, code: 'VALIDATION_ERROR' }] });
    expect(reply.json.errors[0].field_errors[0].field).toBe('phase');
  });
});

describe('update', () => {
  it('RP-02, RP-04, RP-05, RP-08: moves the record by the rules of moves', async () => {
    const { id } = await project();
    const reply = await put(id, { phase: 'Build' });
    expectError(reply, 'MISSING_REQUIRED_FIELDS');
    expect(fieldsIn(reply)).toEqual(['budget']);
    const moved = (await put(id, { phase: 'Build', budget: 3 })).json.record;
    expect(moved).toMatchObject({ pipeline_step_id_display: 'Build', pipeline_step_entered_at: moved.updated_at });
    const { json } = await admin.get(`/pipelines/projects/${id}/history`);
    expect(json.data).toHaveLength(1);
    const same = (await put(id, { phase: 'Build' })).json.record;
    expect(same.pipeline_step_entered_at).toBe(moved.pipeline_step_entered_at);
  });

  it('refuses null under the name that was given', async () => {
    const { id } = await project();
    expectRefused(await put(id, { phase: null }), ['phase']);
    expectRefused(await put(id, { pipeline_step_id: null }), ['pipeline_step_id']);
    expectRefused(await put(id, { phase: null, pipeline_step_id: 'Build' }), ['phase']);
  });

  it('takes back what was read, with a step beside it that is the same', async () => {
    const record = await project();
    const reply = await put(record.id, { ...record, phase: 'Scoping', name: 'Renamed' });
    expect(reply.json.record, reply.text).toMatchObject({ name: 'Renamed', pipeline_step_id_display: 'Scoping' });
    expectRefused(
      await put(record.id, { ...reply.json.record, phase: 'Open' }),
      ['phase'],
      ['Scoping', 'Build', 'Done'],
    );
  });

  it('tells of a clash where the record stands by now', async () => {
    const { id } = await project();
    const reply = await admin.send(`/api/v1/records/projects/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': '"0123456789abcdef0123456789abcdef-eA"' },
      body: JSON.stringify({ phase: 'Build' }),
    });
    expectError(reply, 'CONFLICT', 412);
    expect(reply.json.field_errors).toEqual([
      { field: 'phase', message: `phase is now "${steps.get('Delivery/Scoping')}"` },
    ]);
  });
});

describe('rights', () => {
  it('a role that does not see the field or its step is told as of any unknown key', async () => {
    const { id } = await project();
    const blind = await organization.user('Blind');
    for (const reply of [
      await put(id, { phase: 'Build' }, blind),
      await blind.post('/records/projects', { phase: 'Build' }),
    ]) {
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.field_errors).toEqual([{ field: 'phase', message: 'phase is not a field of projects' }]);
      expect(reply.json.available_values).not.toContain('phase');
    }
    const ofStep = await organization.user('Blind to the step');
    expectError(await put(id, { phase: 'Build', budget: 1 }, ofStep), 'VALIDATION_ERROR');
  });

  it.each(['Reader', 'Reader of the step'])('is PERMISSION_DENIED for the role %s', async (role) => {
    const { id } = await project();
    const reader = await organization.user(role);
    expectError(await put(id, { phase: 'Build', budget: 1 }, reader), 'PERMISSION_DENIED');
    expectError(await reader.post('/records/projects', { phase: 'Build' }), 'PERMISSION_DENIED');
  });

  it('is described where the role may write it', async () => {
    const described = async (client: Client) => {
      const { schemas } = (await client.get('/openapi.json')).json.components;
      return ['ProjectCreate', 'ProjectUpdate', 'Project'].map((name) => 'phase' in schemas[name].properties);
    };
    expect(await described(admin)).toEqual([true, true, false]);
    for (const { name } of manifest.roles)
      expect(await described(await organization.user(name))).toEqual([false, false, false]);
    const { schemas } = (await admin.get('/openapi.json')).json.components;
    expect(schemas.OrderCreate.required ?? []).not.toContain('state');
  });
});

describe('import', () => {
  it('IMPO-04: takes a step by its name or id, of the pipeline beside it; an empty one is the first', async () => {
    const records = [
      { phase: 'Build' },
      { phase: steps.get('Support/Done') },
      { phase: 'Done', pipeline_id: 'Delivery' },
      { phase: '' },
      { phase: 'Done' },
      { phase: 'Bild' },
    ];
    const { json } = await admin.post('/import/projects', { records });
    expect(json).toMatchObject({ created: 4, failed: 2 });
    const stands = await Promise.all(
      json.created_ids.map(async (id: string) => {
        const { record } = (await admin.get(`/records/projects/${id}`)).json;
        return `${record.pipeline_id_display}/${record.pipeline_step_id_display}`;
      }),
    );
    expect(stands).toEqual(['Delivery/Build', 'Support/Done', 'Delivery/Done', 'Delivery/Scoping']);
    expect(json.errors.map(({ index }: { index: number }) => index)).toEqual([4, 5]);
    for (const { error } of json.errors) expect(error).toMatch(/^phase /);
  });
});
