/** [spec: Record in a pipeline] Moves between steps by an update: what is asked for, what is set, what is witnessed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';

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
        { name: 'share', label: 'Share', type: 'PERCENT' },
        { name: 'note', label: 'Note', type: 'RICH_TEXT' },
        {
          name: 'people',
          label: 'People',
          type: 'MANY_TO_MANY',
          relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
        },
        {
          name: 'doubled',
          label: 'Doubled',
          type: 'CALCULATED',
          calculation: { expression: 'budget * 2', outputType: 'NUMBER' },
        },
        { name: 'phase', label: 'Phase', type: 'PIPELINE' },
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
        {
          name: 'Build',
          kind: 'ongoing',
          default_values: { share: 50 },
          questions: [{ linked_field_name: 'doubled', required_for_next_stage: true }],
        },
        {
          name: 'Review',
          kind: 'ongoing',
          questions: [
            { linked_field_name: 'share', required_for_closure: true },
            { linked_field_name: 'note', required_for_closure: true },
          ],
        },
        {
          name: 'Won',
          kind: 'won',
          forced_values: { share: 100 },
          questions: [
            { linked_field_name: 'share', required_for_closure: true, is_forced_value: true },
            { linked_field_name: 'people', required_for_closure: true },
          ],
        },
        { name: 'Lost', kind: 'lost' },
      ],
    },
    {
      name: 'Support',
      objectName: 'projects',
      steps: [
        { name: 'Open', kind: 'ongoing', default_values: { note: '<p>To be answered</p>' } },
        { name: 'Closed', kind: 'won' },
      ],
    },
  ],
  roles: [
    {
      name: 'Blind',
      isAdmin: false,
      permissions: {
        '*': { view: 'all', create: true, update: 'all', delete: 'all' },
        projects: { fields: { note: 'none', share: 'none' } },
      },
    },
  ],
};

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let contactId: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, manifest);
  contactId = (await create(admin, 'contacts', { first_name: 'Anna' })).id;
});
afterAll(() => kith.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- a record as the interface shows it
let project: any;
beforeEach(async () => {
  project = await create(admin, 'projects', { name: 'A project' });
});

const put = (values: object, client = admin) => client.put(`/records/projects/${project.id}`, values);

/** Moves it there without asking, as far as the test is concerned. */
async function at(step: string): Promise<void> {
  const filled = { budget: 10, share: 5, note: '<p>Done</p>', people: [contactId], pipeline_step_id: step };
  await put(filled);
  const emptied = { budget: null, share: null, note: null, people: [] };
  project = (await put(emptied)).json.record;
  expect(project.pipeline_step_id_display).toBe(step);
  await query('delete from $._pipeline_step_history');
}

async function query(text: string): Promise<readonly (readonly (string | null)[])[]> {
  const schema = `"${organization.schema}"`;
  return (await kith.database.database.run(organization.id, { text: text.replaceAll('$', schema), values: [] })).rows;
}

const witnesses = () =>
  query(`select s.name, w.entered_at is not null, w.left_at is not null, w.entered_at = p.pipeline_step_entered_at
    from $._pipeline_step_history w join $._pipeline_steps s on s.id = w.step_id join $.projects p on p.id = w.record_id
    where w.record_id = '${project.id}' order by w.id`);

function expectMissing(
  reply: { status: number; json: { field_errors?: { field: string }[] } },
  fields: string[],
): void {
  expectError(reply as never, 'MISSING_REQUIRED_FIELDS');
  expect((reply.json.field_errors ?? []).map(({ field }) => field).toSorted()).toEqual(fields);
}

describe('forward', () => {
  it('RECO2-30: is refused while a field is empty that the step asks for, and nothing changes', async () => {
    const reply = await put({ name: 'Other', pipeline_step_id: 'Build' });
    expectMissing(reply, ['budget']);
    expect(reply.json.message).toBe(
      'The record cannot go to the step "Build" before fields that are required for it are filled',
    );
    expect((await admin.get(`/records/projects/${project.id}`)).json.record).toEqual(project);
    expect((await admin.get(`/records/projects/${project.id}/history`)).json.data).toHaveLength(1);
    expect(await witnesses()).toEqual([]);
  });

  it('one update fills what is asked for and moves; the step left is witnessed, defaults fill what is empty', async () => {
    const { record } = (await put({ budget: 10, pipeline_step_id: 'Build' })).json;
    expect(record).toMatchObject({ budget: 10, share: 50, pipeline_step_id_display: 'Build' });
    expect(record.pipeline_step_entered_at).toBe(record.updated_at);
    expect(await witnesses()).toEqual([['Scoping', 't', 't', 'f']]);
  });

  it('a default leaves what is there, and what comes with the move', async () => {
    expect((await put({ budget: 10, share: 7, pipeline_step_id: 'Build' })).json.record.share).toBe(7);
    await put({ pipeline_step_id: 'Scoping' });
    expect((await put({ pipeline_step_id: 'Build' })).json.record.share).toBe(7);
  });

  it('asks only what the step that is left asks for', async () => {
    await put({ budget: 10 });
    const { record } = (await put({ pipeline_step_id: 'Review' })).json;
    expect(record.pipeline_step_id_display).toBe('Review');
  });

  it('a computed field counts as the record would have it', async () => {
    await at('Build');
    expectMissing(await put({ pipeline_step_id: 'Review' }), ['doubled']);
    expect((await put({ budget: 1, pipeline_step_id: 'Review' })).status).toBe(200);
  });

  it('emptied by the same update is empty', async () => {
    await put({ budget: 10 });
    expectMissing(await put({ budget: null, pipeline_step_id: 'Build' }), ['budget']);
  });
});

describe('closure', () => {
  beforeEach(() => at('Review'));

  it('tells all that is missing at once, of both steps, without what a forced value answers', async () => {
    expectMissing(await put({ pipeline_step_id: 'Won' }), ['note', 'people']);
    expectMissing(await put({ pipeline_step_id: 'Lost' }), ['note', 'share']);
  });

  it('text without letters is empty', async () => {
    expectMissing(await put({ note: '<p> </p>', people: [contactId], pipeline_step_id: 'Won' }), ['note']);
  });

  it('a forced value overwrites what is there, and what is given', async () => {
    const { record } = (await put({ share: 30, note: '<p>x</p>', people: [contactId], pipeline_step_id: 'Won' })).json;
    expect(record).toMatchObject({ share: 100, pipeline_step_id_display: 'Won' });
  });

  it('from the last ongoing step has two witnesses: the step left and the final one entered', async () => {
    await put({ note: '<p>x</p>', people: [contactId], pipeline_step_id: 'Won' });
    expect(await witnesses()).toEqual([
      ['Review', 't', 't', 'f'],
      ['Won', 't', 'f', 't'],
    ]);
  });

  it('from an earlier step it has one', async () => {
    await at('Build');
    await put({ budget: 1, share: 5, note: '<p>x</p>', pipeline_step_id: 'Lost' });
    expect((await witnesses()).map(([step]) => step)).toEqual(['Build']);
  });

  it('a bulk change names by their labels those fields that the role sees', async () => {
    await at('Review');
    const blind = await organization.user('Blind');
    const change = { action: 'update_field', object_name: 'projects', field_name: 'pipeline_step_id' };
    const bulk = { ...change, field_value: 'Won', record_ids: [project.id] };
    const message = 'The record cannot go to the step "Won" before fields that are required for it are filled';
    expect((await admin.post('/bulk', bulk)).json.errors[0].reason).toBe(`${message}: Note, People`);
    expect((await blind.post('/bulk', bulk)).json.errors[0].reason).toBe(`${message}: People`);
  });

  it('a role that may not see what is missing is told the same, without the names', async () => {
    const blind = await organization.user('Blind');
    const reply = await put({ pipeline_step_id: 'Lost' }, blind);
    expectMissing(reply, []);
    expect(reply.json.message).toBe((await put({ pipeline_step_id: 'Lost' })).json.message);
  });

  it('history has what the step set', async () => {
    await put({ note: '<p>x</p>', people: [contactId], pipeline_step_id: 'Won' });
    const [entry] = (await admin.get(`/records/projects/${project.id}/history`)).json.data;
    expect(entry.changes.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining(['share', 'pipeline_step_id', 'people']),
    );
  });
});

describe('no move forward', () => {
  it('backward asks for nothing and witnesses nothing; to reopen is backward', async () => {
    await at('Review');
    expect((await put({ pipeline_step_id: 'Scoping' })).status).toBe(200);
    await at('Won');
    expect((await put({ pipeline_step_id: 'Build' })).json.record).toMatchObject({ share: 50 });
    expect(await witnesses()).toEqual([]);
  });

  it('the step that it is at already is no move', async () => {
    await at('Build');
    const { record } = (await put({ pipeline_step_id: 'Build', name: 'Same' })).json;
    expect(record).toMatchObject({
      name: 'Same',
      share: null,
      pipeline_step_entered_at: project.pipeline_step_entered_at,
    });
    expect(await witnesses()).toEqual([]);
  });

  it('to another pipeline nothing is asked for the next step; the step left is witnessed', async () => {
    const { record } = (await put({ pipeline_id: 'Support' })).json;
    expect(record).toMatchObject({ pipeline_step_id_display: 'Open', note: '<p>To be answered</p>' });
    expect((await witnesses()).map(([step]) => step)).toEqual(['Scoping']);
  });
});

it('a new record has what its step sets', async () => {
  expect(await create(admin, 'projects', { name: 'x', pipeline_step_id: 'Build' })).toMatchObject({ share: 50 });
  expect(await create(admin, 'projects', { name: 'x', share: 3, pipeline_step_id: 'Build' })).toMatchObject({
    share: 3,
  });
  expect(await create(admin, 'projects', { name: 'x', share: 3, pipeline_step_id: 'Won' })).toMatchObject({
    share: 100,
  });
});

it('what a step sets need not be visible to whoever moves the record, and is not named where it is hidden', async () => {
  const other = await kith.organization();
  const company = await create(other.admin, 'companies', { name: 'Hidden' });
  await apply(other.admin, {
    pipelines: [
      {
        name: 'Sending',
        objectName: 'opportunities',
        steps: [
          { name: 'Open', kind: 'ongoing' },
          { name: 'Sent', kind: 'ongoing', forced_values: { company_id: company.id } },
        ],
      },
    ],
    roles: [
      {
        name: 'Narrow',
        permissions: {
          '*': { view: 'all', create: true, update: 'all', delete: 'all' },
          companies: { view: 'none' },
          opportunities: { fields: { company_id: 'none' } },
        },
      },
    ],
  });
  const narrow = await other.user('Narrow');
  const deal = await create(narrow, 'opportunities', { name: 'Deal' });
  const move = () => narrow.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: 'Sent' });
  expect((await move()).json).toMatchObject({ action: 'moved' });
  expect((await other.admin.get(`/records/opportunities/${deal.id}`)).json.record.company_id).toBe(company.id);

  await narrow.put(`/pipelines/opportunities/${deal.id}/move`, { pipeline_step_id: 'Open' });
  await other.admin.put(`/records/opportunities/${deal.id}`, { company_id: null });
  await other.admin.delete(`/records/companies/${company.id}`);
  const reply = await move();
  expectError(reply, 'VALIDATION_ERROR');
  expect(reply.json.field_errors).toEqual([
    { field: 'pipeline_step_id', message: 'The step sets a record that is not there any more' },
  ]);
});

it('a step cannot set a required field to nothing', async () => {
  const steps = [{ name: 'Due', kind: 'ongoing', forced_values: { name: null } }];
  const reply = await admin.post('/manifest', { pipelines: [{ name: 'Dues', objectName: 'opportunities', steps }] });
  expectError(reply, 'VALIDATION_ERROR');
  expect(reply.text).toContain('is required');
});

it('what was witnessed goes with the record', async () => {
  await put({ budget: 10, pipeline_step_id: 'Build' });
  await admin.delete(`/records/projects/${project.id}`);
  expect((await admin.delete(`/trash/projects/${project.id}`)).status).toBe(200);
  const left = await query(`select 1 from $._pipeline_step_history where record_id = '${project.id}'`);
  expect(left).toEqual([]);
});
