/** [spec: Task, Tasks] What tasks are, how they are written, and what becomes of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, fieldsIn, timestamp, uuid } from './records.ts';
import { actionsOf, deactivate, makeTask, readTask, tasks, unlinkedIn } from './tasks.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
});

const nobody = '0190f6c1-0000-7000-8000-000000000000';

describe('POST /tasks', () => {
  it('TASK-01 to 10, TASK3-02: answers 201, and keeps all that is given', async () => {
    const reply = await admin.post('/tasks', {
      title: 'Call Bob',
      due_date: '2026-03-10T09:30:00+02:00',
      priority: 'urgent',
      action_type: 'call',
      assigned_to_id: member.workspaceUserId,
    });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({ task_id: expect.stringMatching(uuid), action: 'created' });
    expect(await tasks(admin)).toEqual([
      {
        id: reply.json.task_id,
        title: 'Call Bob',
        due_date: '2026-03-10T07:30:00.000Z',
        due_all_day: false,
        priority: 'urgent',
        action_type: 'call',
        is_completed: false,
        assigned_to_id: member.workspaceUserId,
        assigned_by_id: admin.workspaceUserId,
        completed_at: null,
        completed_by: null,
        created_by: admin.workspaceUserId,
        created_at: expect.stringMatching(timestamp),
        updated_at: expect.stringMatching(timestamp),
      },
    ]);
  });

  it('needs a title alone', async () => {
    const id = await makeTask(admin, { title: 'Think' });
    expect(await readTask(admin, id)).toMatchObject({
      title: 'Think',
      due_date: null,
      priority: null,
      action_type: null,
      assigned_to_id: null,
      assigned_by_id: null,
      linked_entities: [],
    });
  });

  it('TASK-02, ERRO-32: tells all that is wrong at once', async () => {
    const reply = await admin.post('/tasks', {
      title: '',
      due_date: 'tomorrow',
      priority: 'high',
      action_type: 'fax',
      assigned_to_id: 'Ada',
    });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply).toSorted()).toEqual(['action_type', 'assigned_to_id', 'due_date', 'priority', 'title']);
    const untitled = await admin.post('/tasks', {});
    expectError(untitled, 'VALIDATION_ERROR');
    expect(fieldsIn(await admin.post('/tasks', { titel: 'x', priority: 'high' }))).toEqual([
      'titel',
      'priority',
      'title',
    ]);
    expect(untitled.json.field_errors).toEqual([{ field: 'title', message: 'title is required' }]);
    expect(await tasks(admin)).toEqual([]);
  });

  it('TASK-04: there is no priority high', async () => {
    const reply = await admin.post('/tasks', { title: 'x', priority: 'high' });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual(['priority']);
    expect(reply.json.available_values).toEqual(['low', 'medium', 'urgent']);
  });

  it.each([
    [{ title: 'x', due_dat: '2026-01-01' }, 'due_dat', 'due_date'],
    [{ title: 'x', is_completed: true }, 'is_completed', ''],
    [{ title: 'x', owner: nobody }, 'owner', ''],
    [{ title: 'x', contacts: [] }, 'contacts', ''],
  ])('takes no other keys: %o', async (body, field, nearest) => {
    const reply = await admin.post('/tasks', body);
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual([field]);
    expect(reply.json.message).toContain(nearest);
    expect(reply.json.available_values).toContain('linked_entities');
  });

  it('is_completed is refused with what completes a task', async () => {
    const reply = await admin.put(`/tasks/${await makeTask(admin, { title: 'x' })}`, { is_completed: true });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('PUT /api/v1/tasks/{id}/complete');
  });

  it.each([
    [{ completed_at: '2026-01-01T00:00:00Z' }, 'completed_at is read-only'],
    [{ owner: nobody }, 'owner is not written: it is who made the task'],
    [{ contacts: [nobody] }, 'contacts is written as linked_entities'],
  ])('what is there and not written is refused with why: %o', async (body, message) => {
    const reply = await admin.put(`/tasks/${await makeTask(admin, { title: 'x' })}`, { title: 'y', ...body });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toBe(message);
  });

  it('takes a task as it was read, which changes nothing', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Anna' });
    const id = await makeTask(admin, {
      title: 'x',
      due_date: '2026-03-10',
      priority: 'low',
      assigned_to_id: member.workspaceUserId,
      linked_entities: [{ id: contact.id, type: 'contacts' }],
    });
    await admin.put(`/tasks/${id}/complete`);
    const task = await readTask(admin, id);
    expect((await admin.put(`/tasks/${id}`, task)).json).toEqual({ task_id: id, action: 'updated' });
    const again = await readTask(admin, id);
    expect(again).toEqual({ ...task, updated_at: again.updated_at });
    expect((await admin.put(`/tasks/${id}`, { ...again, title: 'y' })).status).toBe(200);
    expect((await readTask(admin, id)).title).toBe('y');
    const refused = await admin.put(`/tasks/${id}`, { ...(await readTask(admin, id)), completed_by: nobody });
    expectError(refused, 'VALIDATION_ERROR');
    expect(fieldsIn(refused)).toEqual(['completed_by']);
    expectError(await admin.put(`/tasks/${id}`, { id: nobody, title: 'z' }), 'VALIDATION_ERROR');
  });

  it('a task that is due all day stays so where the same moment is given, and not at another', async () => {
    const id = await makeTask(admin, { title: 'x', due_date: '2026-03-10' });
    const { due_date } = await readTask(admin, id);
    await admin.put(`/tasks/${id}`, { title: 'y', due_date });
    expect(await readTask(admin, id)).toMatchObject({ title: 'y', due_date, due_all_day: true });
    await admin.put(`/tasks/${id}`, { due_date: '2026-03-10T09:00:00Z' });
    expect(await readTask(admin, id)).toMatchObject({ due_all_day: false });
    await admin.put(`/tasks/${id}`, { due_date });
    expect(await readTask(admin, id)).toMatchObject({ due_date, due_all_day: false });
    await admin.put(`/tasks/${id}`, { due_date: '2026-03-10' });
    expect(await readTask(admin, id)).toMatchObject({ due_date, due_all_day: true });
  });

  it('TASK-07: an unknown or inactive user can be assigned nothing', async () => {
    const reply = await admin.post('/tasks', { title: 'x', assigned_to_id: nobody });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual(['assigned_to_id']);
    await deactivate(kith, organization, member);
    const gone = await admin.post('/tasks', { title: 'x', assigned_to_id: member.workspaceUserId });
    expectError(gone, 'VALIDATION_ERROR');
    expect(gone.json.message).toContain('active');
    expect(await tasks(admin)).toEqual([]);
  });

  it('is tried without being made, and made once under a key', async () => {
    expect(
      (await admin.post('/tasks?dry_run=true', { title: 'x', assigned_to_id: member.workspaceUserId })).status,
    ).toBe(201);
    expect(await tasks(admin)).toEqual([]);
    const body = { title: 'Once', assigned_to_id: member.workspaceUserId };
    const first = await admin.post('/tasks', body, { 'idempotency-key': 'k1' });
    const second = await admin.post('/tasks', body, { 'idempotency-key': 'k1' });
    expect([second.status, second.json, second.headers.get('idempotent-replayed')]).toEqual([201, first.json, 'true']);
    expect(await tasks(admin)).toHaveLength(1);
    expect((await member.get('/notifications')).json.total).toBe(1);
  });
});

describe('linked_entities', () => {
  it('TASK-11, TASK-12, WSD-14: link records, and are in no list', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Anna', last_name: 'Lee' });
    const deal = await create(admin, 'opportunities', { name: 'Fleet' });
    const id = await makeTask(admin, {
      title: 'Call',
      linked_entities: [
        { id: deal.id, type: 'opportunities' },
        { id: contact.id, type: 'contacts' },
      ],
    });
    const [listed] = await tasks(admin);
    expect(Object.keys(listed).filter((key) => /linked|contacts|opportunities|display/.test(key))).toEqual([]);
    expect((await readTask(admin, id)).linked_entities).toEqual([
      { id: contact.id, type: 'contacts', display: 'Anna Lee' },
      { id: deal.id, type: 'opportunities', display: 'Fleet' },
    ]);
  });

  it('a record that is not there or not visible is RECORD_NOT_FOUND, and nothing is written', async () => {
    const gone = await create(admin, 'contacts', {});
    await admin.delete(`/records/contacts/${gone.id}`);
    for (const id of [nobody, 'x', gone.id]) {
      const body = { title: 'x', assigned_to_id: member.workspaceUserId, linked_entities: [{ id, type: 'contacts' }] };
      expectError(await admin.post('/tasks', body), 'RECORD_NOT_FOUND');
    }
    expect(await tasks(admin)).toEqual([]);
    expect((await member.get('/notifications')).json.total).toBe(0);
    const task = await makeTask(admin, { title: 'Before' });
    const change = { title: 'After', linked_entities: [{ id: gone.id, type: 'contacts' }] };
    expectError(await admin.put(`/tasks/${task}`, change), 'RECORD_NOT_FOUND');
    expect((await readTask(admin, task)).title).toBe('Before');
  });

  it('another type is refused with those that there are', async () => {
    const reply = await admin.post('/tasks', { title: 'x', linked_entities: [{ id: nobody, type: 'projects' }] });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.available_values).toEqual(['contacts', 'companies', 'opportunities']);
  });

  it('TASK3-04: PUT replaces all of them, and keeps them where it names none', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Anna' });
    const company = await create(admin, 'companies', { name: 'Globex' });
    const id = await makeTask(admin, { title: 'x', linked_entities: [{ id: contact.id, type: 'contacts' }] });
    const links = async () => (await readTask(admin, id)).linked_entities.map((link: { id: string }) => link.id);
    await admin.put(`/tasks/${id}`, { title: 'y' });
    expect(await links()).toEqual([contact.id]);
    await admin.put(`/tasks/${id}`, { linked_entities: [{ id: company.id, type: 'companies' }] });
    expect(await links()).toEqual([company.id]);
    await admin.put(`/tasks/${id}`, { linked_entities: [] });
    expect(await links()).toEqual([]);
  });

  it('may stay with a record that has gone into the trash', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Anna' });
    const links = [{ id: contact.id, type: 'contacts' }];
    const id = await makeTask(admin, { title: 'x', linked_entities: links });
    await admin.delete(`/records/contacts/${contact.id}`);
    expect((await readTask(admin, id)).linked_entities).toEqual([{ ...links[0], display: null }]);
    expect((await admin.put(`/tasks/${id}`, { linked_entities: links })).json.action).toBe('updated');
    expect((await readTask(admin, id)).linked_entities).toHaveLength(1);
  });
});

describe('PUT /tasks/{id}', () => {
  it('TASK3-04: changes what is given', async () => {
    const id = await makeTask(admin, { title: 'x', priority: 'low', due_date: '2026-01-01', action_type: 'email' });
    const reply = await admin.put(`/tasks/${id}`, { priority: 'medium', due_date: null });
    expect([reply.status, reply.json]).toEqual([200, { task_id: id, action: 'updated' }]);
    expect(await readTask(admin, id)).toMatchObject({
      title: 'x',
      priority: 'medium',
      due_date: null,
      due_all_day: null,
      action_type: 'email',
    });
    expect((await admin.put(`/tasks/${id}`, {})).json).toEqual({ task_id: id, action: 'updated' });
  });

  it('refuses what a create refuses, and a title that is emptied', async () => {
    const id = await makeTask(admin, { title: 'x' });
    expect(fieldsIn(await admin.put(`/tasks/${id}`, { title: null }))).toEqual(['title']);
    expect(fieldsIn(await admin.put(`/tasks/${id}`, { priority: 'high' }))).toEqual(['priority']);
    expect(fieldsIn(await admin.put(`/tasks/${id}`, { completed: true }))).toEqual(['completed']);
    expect(fieldsIn(await admin.put(`/tasks/${id}`, { assigned_to_id: nobody }))).toEqual(['assigned_to_id']);
  });

  it('TASK-07: who assigns is remembered with each new assignee, and nobody once there is none', async () => {
    const id = await makeTask(admin, { title: 'x', assigned_to_id: admin.workspaceUserId });
    const people = async () => {
      const { assigned_to_id: to, assigned_by_id: by } = await readTask(admin, id);
      return [to, by];
    };
    await member.put(`/tasks/${id}`, { assigned_to_id: admin.workspaceUserId });
    expect(await people()).toEqual([admin.workspaceUserId, admin.workspaceUserId]);
    await member.put(`/tasks/${id}`, { assigned_to_id: member.workspaceUserId });
    expect(await people()).toEqual([member.workspaceUserId, member.workspaceUserId]);
    await admin.put(`/tasks/${id}`, { assigned_to_id: null });
    expect(await people()).toEqual([null, null]);
  });

  it('keeps an assignee who is not active any more', async () => {
    const id = await makeTask(admin, { title: 'x', assigned_to_id: member.workspaceUserId });
    await deactivate(kith, organization, member);
    const change = { title: 'y', assigned_to_id: member.workspaceUserId };
    expect((await admin.put(`/tasks/${id}`, change)).json.action).toBe('updated');
  });

  it('ERRO-06: a task that is not there is RECORD_NOT_FOUND', async () => {
    for (const id of [nobody, 'x']) {
      expectError(await admin.get(`/tasks/${id}`), 'RECORD_NOT_FOUND');
      expectError(await admin.put(`/tasks/${id}`, { title: 'x' }), 'RECORD_NOT_FOUND');
      expectError(await admin.put(`/tasks/${id}/complete`), 'RECORD_NOT_FOUND');
      expectError(await admin.delete(`/tasks/${id}`), 'RECORD_NOT_FOUND');
    }
  });

  it('goes on only from the state that If-Match names', async () => {
    const id = await makeTask(admin, { title: 'x' });
    const etag = (await admin.get(`/tasks/${id}`)).headers.get('etag') ?? '';
    await admin.put(`/tasks/${id}`, { title: 'y' });
    const stale = await admin.put(`/tasks/${id}`, { title: 'z' }, { 'if-match': etag });
    expectError(stale, 'CONFLICT', 412);
    expect(stale.json.field_errors).toEqual([{ field: 'title', message: 'title is now "y"' }]);
    expectError(await admin.put(`/tasks/${id}/complete`, {}, { 'if-match': etag }), 'CONFLICT', 412);
    const now = (await admin.get(`/tasks/${id}`)).headers.get('etag') ?? '';
    expect((await admin.put(`/tasks/${id}`, { title: 'z' }, { 'if-match': now })).status).toBe(200);
  });

  it('leaves history as records do', async () => {
    const id = await makeTask(admin, { title: 'x' });
    await member.put(`/tasks/${id}`, { title: 'y' });
    expect(await actionsOf(kith, organization, id)).toEqual(['create', 'update']);
  });
});

describe('PUT /tasks/{id}/complete', () => {
  it('TASK2-01 to 05, TASK-08, TASK-09, TASK3-05: completes and reopens', async () => {
    const id = await makeTask(admin, { title: 'x' });
    const done = await member.put(`/tasks/${id}/complete`);
    expect([done.status, done.json]).toEqual([200, { task_id: id, action: 'completed' }]);
    expect(await readTask(admin, id)).toMatchObject({
      is_completed: true,
      completed_at: expect.stringMatching(timestamp),
      completed_by: member.workspaceUserId,
    });
    const open = await admin.put(`/tasks/${id}/complete`, { completed: false });
    expect(open.json).toEqual({ task_id: id, action: 'reopened' });
    expect(await readTask(admin, id)).toMatchObject({ is_completed: false, completed_at: null, completed_by: null });
    expect((await admin.put(`/tasks/${id}/complete`, { completed: true })).json.action).toBe('completed');
    expect((await readTask(admin, id)).completed_by).toBe(admin.workspaceUserId);
  });

  it('a second completion keeps the first stamps', async () => {
    const id = await makeTask(admin, { title: 'x' });
    await member.put(`/tasks/${id}/complete`);
    const first = await readTask(admin, id);
    expect((await admin.put(`/tasks/${id}/complete`)).json).toEqual({ task_id: id, action: 'completed' });
    expect(await readTask(admin, id)).toEqual(first);
    expect(await actionsOf(kith, organization, id)).toEqual(['create', 'update']);
  });

  it('refuses what is no boolean', async () => {
    const id = await makeTask(admin, { title: 'x' });
    expectError(await admin.put(`/tasks/${id}/complete`, { completed: 'yes' }), 'VALIDATION_ERROR');
    expectError(await admin.put(`/tasks/${id}/complete`, { complete: true }), 'VALIDATION_ERROR');
    expect((await readTask(admin, id)).is_completed).toBe(false);
  });
});

describe('DELETE /tasks/{id}', () => {
  it('TASK3-06: it is gone for every reader, with its links', async () => {
    const contact = await create(admin, 'contacts', { first_name: 'Anna' });
    const id = await makeTask(admin, { title: 'x', linked_entities: [{ id: contact.id, type: 'contacts' }] });
    const reply = await admin.delete(`/tasks/${id}`);
    expect([reply.status, reply.json]).toEqual([200, { deleted: true }]);
    expectError(await admin.get(`/tasks/${id}`), 'RECORD_NOT_FOUND');
    expect(await tasks(admin, { linked_entity_id: contact.id })).toEqual([]);
    expect((await admin.get('/aggregate/tasks', { function: 'COUNT' })).json.value).toBe(0);
    expect(await unlinkedIn(kith, organization, id)).toEqual([contact.id]);
    expectError(await admin.delete(`/tasks/${id}`), 'RECORD_NOT_FOUND');
  });
});

it('records do not take tasks', async () => {
  expectError(await admin.get('/records/tasks'), 'INVALID_OBJECT');
  expectError(await admin.post('/records/tasks', { title: 'x' }), 'INVALID_OBJECT');
});
