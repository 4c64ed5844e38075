/** [spec: Tasks; contract: Workspace manifest] The system object `tasks` takes the permissions of roles under its name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';
import { makeTask, readTask, tasks, titles } from './tasks.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  const all = { view: 'all', create: true, update: 'all', delete: 'all' };
  const roles = {
    Own: { '*': all, tasks: { view: 'own', update: 'own', delete: 'own' } },
    Reader: { '*': all, tasks: { create: false, update: 'none', delete: 'none' } },
    Outside: { '*': all, tasks: { view: 'none', create: false } },
    Maker: { '*': all, tasks: { view: 'none' } },
    Urgent: {
      '*': all,
      tasks: { view: { type: 'AND', conditions: [{ field: 'priority', operator: 'equals', value: 'urgent' }] } },
    },
    Blind: { '*': all, tasks: { fields: { due_date: 'none', priority: 'none', completed_at: 'none' } } },
    Unfinished: { '*': all, tasks: { fields: { is_completed: 'none' } } },
    Careful: { '*': all, tasks: { fields: { is_completed: 'read', title: 'read' } } },
    Narrow: { '*': all, contacts: { view: 'none' } },
  };
  await apply(admin, { roles: Object.entries(roles).map(([name, permissions]) => ({ name, permissions })) });
});
afterAll(() => kith.stop());

describe('rows', () => {
  it('TASK3-14: own are those that one made, owns or is assigned; lists, totals and stats have no others', async () => {
    const own = await organization.user('Own');
    const mine = await makeTask(own, { title: 'made' });
    const given = await makeTask(admin, { title: 'assigned', assigned_to_id: own.workspaceUserId });
    const other = await makeTask(admin, { title: 'other' });
    expect((await titles(own)).toSorted()).toEqual(['assigned', 'made']);
    expect((await own.get('/tasks/stats')).json).toMatchObject({ total: 2, completionRate: 0 });
    expect((await own.get('/tasks/stats', { user_id: admin.workspaceUserId })).json.total).toBe(0);
    for (const id of [mine, given]) expect((await own.put(`/tasks/${id}/complete`)).json.action).toBe('completed');
    expect((await own.get('/tasks/stats')).json.completionRate).toBe(100);
    expectError(await own.get(`/tasks/${other}`), 'RECORD_NOT_FOUND');
    expectError(await own.put(`/tasks/${other}`, { title: 'x' }), 'RECORD_NOT_FOUND');
    expectError(await own.put(`/tasks/${other}/complete`), 'RECORD_NOT_FOUND');
    expectError(await own.delete(`/tasks/${other}`), 'RECORD_NOT_FOUND');
    // Once it is given away, it would be out of reach: it was made by another.
    expectError(await own.put(`/tasks/${given}`, { assigned_to_id: admin.workspaceUserId }), 'PERMISSION_DENIED');
    expect((await own.delete(`/tasks/${mine}`)).json).toEqual({ deleted: true });
  });

  it('ERRO-05: who sees a task and may not change it is refused', async () => {
    const reader = await organization.user('Reader');
    const id = await makeTask(admin, { title: 'x' });
    expect((await readTask(reader, id)).title).toBe('x');
    expectError(await reader.post('/tasks', { title: 'x' }), 'PERMISSION_DENIED');
    expectError(await reader.put(`/tasks/${id}`, { title: 'y' }), 'PERMISSION_DENIED');
    expectError(await reader.put(`/tasks/${id}/complete`), 'PERMISSION_DENIED');
    expectError(await reader.delete(`/tasks/${id}`), 'PERMISSION_DENIED');
    expect(await readTask(admin, id)).toMatchObject({ title: 'x', is_completed: false });
  });

  it('who sees none at all is refused lists and stats, and may make some where the role says so', async () => {
    const outside = await organization.user('Outside');
    for (const path of ['/tasks', '/tasks/stats', `/tasks/${await makeTask(admin, { title: 'x' })}`])
      expectError(await outside.get(path), 'PERMISSION_DENIED');
    expectError(await outside.post('/tasks', { title: 'x' }), 'PERMISSION_DENIED');
    const maker = await organization.user('Maker');
    expect((await maker.post('/tasks', { title: 'made unseen' })).status).toBe(201);
    expectError(await maker.get('/tasks'), 'PERMISSION_DENIED');
    const { paths } = (await outside.get('/openapi.json')).json;
    expect(Object.keys(paths).filter((path) => path.includes('/tasks'))).toEqual([]);
    expect(Object.keys((await maker.get('/openapi.json')).json.paths['/api/v1/tasks'])).toEqual(['post']);
  });

  it('a rule admits what matches it', async () => {
    const urgent = await organization.user('Urgent');
    await makeTask(admin, { title: 'now', priority: 'urgent' });
    await makeTask(admin, { title: 'then', priority: 'low' });
    expect(await titles(urgent)).toEqual(['now']);
    expect((await urgent.get('/tasks/stats')).json.total).toBe(1);
  });
});

describe('fields', () => {
  it('a hidden one is absent, and unknown to filters, orders, modes and writes', async () => {
    const blind = await organization.user('Blind');
    const id = await makeTask(admin, { title: 'x', due_date: '2020-01-01', priority: 'low' });
    const [listed] = await tasks(blind);
    for (const task of [listed, await readTask(blind, id)])
      for (const name of ['due_date', 'due_all_day', 'priority', 'completed_at'])
        expect(Object.keys(task)).not.toContain(name);
    for (const query of [
      { mode: 'overdue' },
      { priority: 'low' },
      { sort_by: 'due_date' },
      { sort_by: 'due_all_day' },
    ]) {
      const reply = await blind.get('/tasks', query);
      expectError(reply, 'INVALID_FIELD');
      for (const name of ['due_date', 'due_all_day']) expect(reply.json.available_values).not.toContain(name);
    }
    const filters = { type: 'AND', conditions: [{ field: 'due_all_day', operator: 'equals', value: true }] };
    expectError(await blind.get('/tasks', { filters }), 'INVALID_FIELD');
    const { fields } = (await blind.get('/schema/tasks')).json;
    expect(fields.map(({ name }: { name: string }) => name)).not.toContain('due_all_day');
    expect(Object.keys((await blind.get('/tasks/stats')).json)).toEqual(['total', 'completionRate']);
    // As one that there is not.
    for (const write of [
      (key: string) => blind.post('/tasks', { title: 'x', [key]: null }),
      (key: string) => blind.put(`/tasks/${id}`, { [key]: null }),
    ]) {
      const unknown = await write('no_field');
      expectError(unknown, 'VALIDATION_ERROR');
      expect(unknown.json.available_values).toEqual(['title', 'assigned_to_id', 'action_type', 'linked_entities']);
      for (const key of ['due_date', 'due_all_day', 'priority', 'completed_at'])
        expect((await write(key)).text.replaceAll(key, 'no_field')).toBe(unknown.text);
    }
    expect((await blind.put(`/tasks/${id}/complete`)).json.action).toBe('completed');
  });

  it('stats tell nothing of what is done where that is hidden', async () => {
    const unfinished = await organization.user('Unfinished');
    expect(Object.keys((await unfinished.get('/tasks/stats')).json)).toEqual(['total']);
    const id = await makeTask(admin, { title: 'x' });
    expectError(await unfinished.put(`/tasks/${id}/complete`), 'PERMISSION_DENIED');
  });

  it('what may be read alone cannot be written', async () => {
    const careful = await organization.user('Careful');
    const id = await makeTask(admin, { title: 'x' });
    expectError(await careful.put(`/tasks/${id}`, { title: 'y' }), 'PERMISSION_DENIED');
    expectError(await careful.put(`/tasks/${id}/complete`), 'PERMISSION_DENIED');
    expect((await careful.put(`/tasks/${id}`, { priority: 'low' })).status).toBe(200);
  });

  it('a record that the role does not see is linked by nobody, and not called anything', async () => {
    const narrow = await organization.user('Narrow');
    const contact = await create(admin, 'contacts', { first_name: 'Secret' });
    const links = [{ id: contact.id, type: 'contacts' }];
    const id = await makeTask(admin, { title: 'x', linked_entities: links });
    expect((await readTask(narrow, id)).linked_entities).toEqual([{ ...links[0], display: null }]);
    expectError(await narrow.post('/tasks', { title: 'x', linked_entities: links }), 'RECORD_NOT_FOUND');
  });
});

it('one organization has nothing of another', async () => {
  const other = await kith.organization();
  const id = await makeTask(admin, { title: 'x' });
  expect((await other.admin.get('/tasks')).json.total).toBe(0);
  expectError(await other.admin.get(`/tasks/${id}`), 'RECORD_NOT_FOUND');
  expectError(await other.admin.put(`/tasks/${id}/complete`), 'RECORD_NOT_FOUND');
});
