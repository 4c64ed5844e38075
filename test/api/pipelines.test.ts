/** [spec: Pipelines] The list, the move and where a record was. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError, timestamp, uuid } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
// oxlint-disable-next-line typescript/no-explicit-any -- as the interface shows it
let sales: any;

const manifest = {
  pipelines: [
    {
      name: 'Renewals',
      objectName: 'opportunities',
      steps: [
        {
          name: 'Due',
          kind: 'ongoing',
          questions: [{ linked_field_name: 'amount', required_for_next_stage: true }],
          default_values: { probability: 80 },
        },
        { name: 'Renewed', kind: 'won', forced_values: { probability: 100 } },
        { name: 'Lost', kind: 'lost' },
      ],
    },
  ],
  roles: [
    {
      name: 'Modest',
      permissions: {
        '*': { view: 'all', create: true, update: 'own', delete: 'none' },
        opportunities: { fields: { probability: 'none', created_by: 'none' } },
      },
    },
    {
      name: 'Blind',
      permissions: { '*': { view: 'all', update: 'all' }, opportunities: { fields: { pipeline: 'none' } } },
    },
    {
      name: 'Reader',
      permissions: { '*': { view: 'all', update: 'all' }, opportunities: { fields: { pipeline: 'read' } } },
    },
  ],
};

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, manifest);
  sales = (await admin.get('/pipelines')).json.pipelines.find(({ name }: { name: string }) => name === 'Sales');
});
afterAll(() => kith.stop());

const stepOf = (name: string) => sales.steps.find((step: { name: string }) => step.name === name).id;

describe('GET /pipelines', () => {
  it('PIPE-01 to 08, PIPE2-01: has all pipelines of the organization, with questions and values of their steps', async () => {
    const { status, json } = await admin.get('/pipelines');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['pipelines']);
    expect(json.pipelines.map(({ name, objectName, is_default }: never) => [name, objectName, is_default])).toEqual([
      ['Sales', 'opportunities', true],
      ['Renewals', 'opportunities', false],
    ]);
    for (const pipeline of json.pipelines) expect(pipeline.id).toMatch(uuid);
    const [due, renewed] = json.pipelines[1].steps;
    expect(due).toEqual({
      id: expect.stringMatching(uuid),
      name: 'Due',
      order_index: 0,
      kind: 'ongoing',
      questions: [
        {
          linked_field_name: 'amount',
          required_for_next_stage: true,
          required_for_closure: false,
          is_forced_value: false,
        },
      ],
      forced_values: {},
      default_values: { probability: 80 },
    });
    expect(renewed).toMatchObject({ kind: 'won', forced_values: { probability: 100 } });
    for (const { steps } of json.pipelines)
      expect(steps.map(({ order_index }: { order_index: number }) => order_index)).toEqual([...steps.keys()]);
  });

  it('tells a role nothing of fields that are hidden from it, and of no pipeline where that is', async () => {
    const modest = await organization.user('Modest');
    const { pipelines } = (await modest.get('/pipelines')).json;
    expect(JSON.stringify(pipelines)).not.toContain('probability');
    expect(pipelines[1].steps[0].questions).toHaveLength(1);
    const blind = await organization.user('Blind');
    expect((await blind.get('/pipelines')).json).toEqual({ pipelines: [] });
  });
});

describe('PUT /pipelines/{object}/{id}/move', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a record
  let deal: any;
  beforeEach(async () => {
    deal = await create(admin, 'opportunities', { name: 'Deal' });
  });
  const move = (body: object, client = admin, id = deal.id) => client.put(`/pipelines/opportunities/${id}/move`, body);
  const step = async () => (await admin.get(`/records/opportunities/${deal.id}`)).json.record.pipeline_step_id_display;

  it('PIPE2-02 to 04: moves, and answers flat without the record; the pipeline is that of the step', async () => {
    const reply = await move({ pipeline_step_id: stepOf('Proposal') });
    expect(reply.json).toEqual({ deal_id: deal.id, pipeline_step_id: stepOf('Proposal'), action: 'moved' });
    expect(await step()).toBe('Proposal');
  });

  it('takes a step by its name where only one has it, and in the pipeline that is named', async () => {
    expect((await move({ pipeline_step_id: 'Won' })).json).toMatchObject({ pipeline_step_id: stepOf('Won') });
    expectError(await move({ pipeline_step_id: 'Lost' }), 'INVALID_OPERATION');
    expect((await move({ pipeline_step_id: 'Lost', pipeline_id: sales.id })).json).toMatchObject({
      pipeline_step_id: stepOf('Lost'),
    });
  });

  it('PIPE2-05, RP-01: a step of another pipeline is INVALID_OPERATION', async () => {
    expectError(await move({ pipeline_step_id: stepOf('Won'), pipeline_id: 'Renewals' }), 'INVALID_OPERATION');
    expect(await step()).toBe('Lead');
  });

  it.each([
    ['no step', {}, 'MISSING_REQUIRED_FIELD'],
    ['an empty one', { pipeline_step_id: ' ' }, 'MISSING_REQUIRED_FIELD'],
    ['a step that there is not', { pipeline_step_id: crypto.randomUUID() }, 'RECORD_NOT_FOUND'],
    ['a pipeline that there is not', { pipeline_step_id: 'Won', pipeline_id: 'Nothing' }, 'INVALID_OPERATION'],
  ])('%s is refused', async (_name, body, code) => {
    expectError(await move(body), code);
    expect(await step()).toBe('Lead');
  });

  it('says so where there is no pipeline at all', async () => {
    const { admin: bare } = await kith.organization();
    const fields = [
      { name: 'name', label: 'Name', type: 'TEXT' },
      { name: 'phase', label: 'Phase', type: 'PIPELINE' },
    ];
    const object = { name: 'cases', label: 'Cases', labelSingular: 'Case', displayField: 'name', fields };
    await apply(bare, { objects: [object] });
    const { id } = await create(bare, 'cases', { name: 'Nowhere to go' });
    const reply = await bare.put(`/pipelines/cases/${id}/move`, { pipeline_step_id: 'xyz' });
    expectError(reply, 'RECORD_NOT_FOUND');
    expect(reply.json.message).toBe('There is no step "xyz": cases has no pipeline');
  });

  it('refuses objects without a pipeline, and records that are not there', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Anna' });
    expectError(
      await admin.put(`/pipelines/contacts/${contact.id}/move`, { pipeline_step_id: 'Won' }),
      'INVALID_OPERATION',
    );
    expectError(
      await admin.put(`/pipelines/nothing/${contact.id}/move`, { pipeline_step_id: 'Won' }),
      'INVALID_OBJECT',
    );
    expectError(await move({ pipeline_step_id: 'Won' }, admin, crypto.randomUUID()), 'RECORD_NOT_FOUND');
    expectError(await move({ pipeline_step_id: 'Won' }, admin, 'x'), 'RECORD_NOT_FOUND');
  });

  it('tells nobody which steps an object has that the role may not know of', async () => {
    await apply(admin, {
      objects: [
        {
          name: 'secrets',
          label: 'Secrets',
          labelSingular: 'Secret',
          displayField: 'name',
          fields: [
            { name: 'name', label: 'Name', type: 'TEXT' },
            { name: 'phase', label: 'Phase', type: 'PIPELINE' },
          ],
        },
      ],
      pipelines: [{ name: 'Hidden', objectName: 'secrets', steps: [{ name: 'Buying Globex', kind: 'ongoing' }] }],
      roles: [
        {
          name: 'Outside',
          permissions: {
            '*': { view: 'all', update: 'all' },
            secrets: { view: 'none', create: false, update: 'none' },
          },
        },
      ],
    });
    const outside = await organization.user('Outside');
    expectError(await move({ pipeline_step_id: 'Buying Globex' }, outside), 'RECORD_NOT_FOUND');
    expectError(await move({ pipeline_step_id: 'Buying Globex' }), 'INVALID_OPERATION');
    const inSales = { pipeline_step_id: 'Buying Globex', pipeline_id: sales.id };
    expectError(await move(inSales, outside), 'RECORD_NOT_FOUND');
    expectError(await move(inSales), 'INVALID_OPERATION');
  });

  it('refuses who may not change the record, or the field', async () => {
    expectError(await move({ pipeline_step_id: 'Won' }, await organization.user('Modest')), 'PERMISSION_DENIED');
    expectError(await move({ pipeline_step_id: 'Won' }, await organization.user('Reader')), 'PERMISSION_DENIED');
    expectError(await move({ pipeline_step_id: 'Won' }, await organization.user('Blind')), 'INVALID_OPERATION');
    expect(await step()).toBe('Lead');
  });

  it('RP-02, RP-08: a field that the step asks for is missing', async () => {
    await move({ pipeline_step_id: 'Due' });
    const reply = await move({ pipeline_step_id: 'Renewed' });
    expectError(reply, 'MISSING_REQUIRED_FIELDS');
    expect(reply.json.field_errors).toEqual([{ field: 'amount', message: 'amount is required before Renewed' }]);
  });

  it('to the step that it is at: moved, and nothing is written', async () => {
    expect((await move({ pipeline_step_id: stepOf('Lead') })).json.action).toBe('moved');
    const { record } = (await admin.get(`/records/opportunities/${deal.id}`)).json;
    expect(record.updated_at).toBe(deal.updated_at);
    expect((await admin.get(`/records/opportunities/${deal.id}/history`)).json.total).toBe(1);
  });

  it('RP-07: the record’s history has the step that it left and that it reached, by either way', async () => {
    const changes = async () => {
      const { data } = (await admin.get(`/records/opportunities/${deal.id}/history`)).json;
      return [data.length, data[0].changes.find(({ field }: { field: string }) => field === 'pipeline_step_id')];
    };
    await move({ pipeline_step_id: stepOf('Qualified') });
    const [lead, due] = [stepOf('Lead'), stepOf('Qualified')];
    expect(await changes()).toEqual([2, { field: 'pipeline_step_id', before: lead, after: due }]);
    await admin.put(`/records/opportunities/${deal.id}`, { pipeline_step_id: stepOf('Lead') });
    expect(await changes()).toEqual([3, { field: 'pipeline_step_id', before: due, after: lead }]);
  });

  it('a dry run moves nothing; a repeated key moves once', async () => {
    expect(
      (await admin.put(`/pipelines/opportunities/${deal.id}/move?dry_run=true`, { pipeline_step_id: 'Won' })).status,
    ).toBe(200);
    expect(await step()).toBe('Lead');
  });
});

describe('GET /pipelines/{object}/{id}/history', () => {
  it('RP-05, RP-06: has the steps that were left, latest first, and the time at each', async () => {
    const deal = await create(admin, 'opportunities', { name: 'Deal' });
    const path = `/pipelines/opportunities/${deal.id}`;
    for (const step of ['Qualified', 'Negotiation', 'Won']) await admin.put(`${path}/move`, { pipeline_step_id: step });
    const { json } = await admin.get(`${path}/history`);
    expect(json.total).toBe(4);
    expect(
      json.data.map((row: Record<string, unknown>) => [row['pipeline_step_id_display'], row['left_at'] !== null]),
    ).toEqual([
      ['Won', false],
      ['Negotiation', true],
      ['Qualified', true],
      ['Lead', true],
    ]);
    expect(json.data[1]).toEqual({
      id: expect.stringMatching(uuid),
      pipeline_id: sales.id,
      pipeline_id_display: 'Sales',
      pipeline_step_id: stepOf('Negotiation'),
      pipeline_step_id_display: 'Negotiation',
      entered_at: expect.stringMatching(timestamp),
      left_at: json.data[0].entered_at,
      moved_by: { id: expect.stringMatching(uuid), display: expect.any(String) },
    });
    const times = json.time_in_steps.map((time: Record<string, unknown>) => [
      time['pipeline_step_id_display'],
      time['is_current'],
    ]);
    expect(times).toHaveLength(4);
    expect(times).toEqual(
      expect.arrayContaining([
        ['Won', true],
        ['Lead', false],
      ]),
    );

    const first = (await admin.get(`${path}/history?limit=3`)).json;
    const rest = (await admin.get(`${path}/history?limit=3&cursor=${first.nextCursor}`)).json;
    expect([...first.data, ...rest.data]).toEqual(json.data);
    expect(rest).not.toHaveProperty('nextCursor');
  });

  it('a new record has left no step', async () => {
    const deal = await create(admin, 'opportunities', { name: 'Deal' });
    const { json } = await admin.get(`/pipelines/opportunities/${deal.id}/history`);
    expect(json).toMatchObject({ data: [], total: 0 });
    expect(json.time_in_steps).toEqual([
      {
        pipeline_step_id: stepOf('Lead'),
        pipeline_step_id_display: 'Lead',
        seconds: expect.any(Number),
        is_current: true,
      },
    ]);
  });

  it('counts the time at a step that was left backwards, and come to again', async () => {
    const deal = await create(admin, 'opportunities', { name: 'Deal' });
    for (const step of ['Proposal', 'Lead', 'Proposal'])
      await admin.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: step });
    const text = `update $._history set before = (select jsonb_object_agg(k, case
        when k like '%.pipeline_step_entered_at' then to_jsonb(now() - interval '1 hour') else v end) from jsonb_each(before) b (k, v))
      where record_id = '${deal.id}' and before <> '{}'`;
    await kith.database.database.run(organization.id, {
      text: text.replaceAll('$', `"${organization.schema}"`),
      values: [],
    });
    const { time_in_steps } = (await admin.get(`/pipelines/opportunities/${deal.id}/history`)).json;
    const byName = Object.fromEntries(
      time_in_steps.map((time: Record<string, unknown>) => [time['pipeline_step_id_display'], time['seconds']]),
    );
    expect(byName['Lead']).toBeGreaterThanOrEqual(7_200);
    expect(byName['Proposal']).toBeGreaterThanOrEqual(3_600);
    expect(byName['Proposal']).toBeLessThan(7_200);
  });

  it('tells a role that does not see when a record was made, or came to its step, nothing of that', async () => {
    const roles = [
      {
        name: 'Timeless',
        permissions: {
          '*': { view: 'all', update: 'all' },
          opportunities: { fields: { created_at: 'none', pipeline_id: 'none' } },
        },
      },
      {
        name: 'Stepless',
        permissions: {
          '*': { view: 'all', update: 'all' },
          opportunities: { fields: { pipeline_step_entered_at: 'none' } },
        },
      },
    ];
    await apply(admin, { roles });
    const deal = await create(admin, 'opportunities', { name: 'Deal' });
    for (const step of ['Qualified', 'Proposal'])
      await admin.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: step });
    const seenBy = async (role: string) =>
      (await (await organization.user(role)).get(`/pipelines/opportunities/${deal.id}/history`)).json;
    const timeless = await seenBy('Timeless');
    expect(timeless.data.map(({ entered_at }: { entered_at: string | null }) => entered_at !== null)).toEqual([
      true,
      false,
    ]);
    expect(timeless.data[0]).toMatchObject({ pipeline_id: null, pipeline_id_display: null });
    const stepless = await seenBy('Stepless');
    expect(stepless.data.map(({ entered_at }: { entered_at: string | null }) => entered_at)).toEqual([null, null]);
    for (const { time_in_steps } of [timeless, stepless])
      for (const { seconds } of time_in_steps) expect(seconds).toBeNull();
  });

  it('tells nobody more than the record does', async () => {
    const deal = await create(admin, 'opportunities', { name: 'Deal' });
    await admin.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: 'Won' });
    const path = `/pipelines/opportunities/${deal.id}/history`;
    expect((await (await organization.user('Modest')).get(path)).json.data[0].moved_by).toBeNull();
    expectError(await (await organization.user('Blind')).get(path), 'INVALID_OPERATION');
    await admin.delete(`/records/opportunities/${deal.id}`);
    expectError(await admin.get(path), 'RECORD_NOT_FOUND');
  });
});
