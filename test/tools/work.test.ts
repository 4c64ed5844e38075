/** [spec: crm_manage_tasks, crm_task_stats, crm_manage_notes, crm_manage_lists, crm_create_list] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuid } from '../api/records.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let admin: Client;
let ada: Agent;
let ben: Agent;
let benClient: Client;
let viewer: Agent;
let anna: string;
let globex: string;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  const agentOf = agents(kith);
  ({ admin } = organization);
  benClient = await organization.user('Member');
  [ada, ben, viewer] = [agentOf(admin), agentOf(benClient), agentOf(await organization.user('Viewer'))];
  const made = (object_name: string, values: object) =>
    ada.ask('crm_save_record', { action: 'create', object_name, values });
  anna = (await made('contacts', { first_name: 'Anna', last_name: 'Berg' })).id;
  globex = (await made('companies', { name: 'Globex' })).id;
});
afterAll(() => kith.stop());

const tasks = (agent: Agent, args: object) => agent.ask('crm_manage_tasks', { ...args });
const notes = (agent: Agent, args: object) => agent.ask('crm_manage_notes', { ...args });
const lists = (agent: Agent, args: object) => agent.ask('crm_manage_lists', { ...args });
const titles = async (args: object) =>
  (await tasks(ada, { action: 'list', ...args })).data.map(({ title }: { title: string }) => title);
const kindsTold = async (client: Client) =>
  (await client.get('/notifications')).json.data.map(({ kind }: { kind: string }) => kind);

describe('crm_manage_tasks', () => {
  it('CMT-01 to 03: lists by each of its filters, in each of its orders', async () => {
    const about = { linked_entities: [{ type: 'contacts', id: anna }] };
    const create = (title: string, more: object) => tasks(ada, { action: 'create', title, ...more });
    await create('Alpha', { due_date: '2020-01-01', priority: 'low', ...about });
    await create('Beta', { due_date: '2099-01-01', priority: 'urgent', action_type: 'call' });
    await create('Gamma', { priority: 'medium', assigned_to_id: ben.workspaceUserId });
    expect(await titles({})).toEqual(['Alpha', 'Beta', 'Gamma']);
    expect(await titles({ mode: 'overdue' })).toEqual(['Alpha']);
    expect(await titles({ mode: 'upcoming' })).toEqual(['Beta']);
    expect(await titles({ assigned_to: ben.workspaceUserId })).toEqual(['Gamma']);
    expect(await titles({ linked_entity_id: anna, linked_entity_type: 'contacts' })).toEqual(['Alpha']);
    expect(await titles({ priority_filter: 'urgent' })).toEqual(['Beta']);
    expect(await titles({ action_type: 'call' })).toEqual(['Beta']);
    const filters = { type: 'AND', conditions: [{ field: 'title', operator: 'starts_with', value: 'G' }] };
    expect(await titles({ filters })).toEqual(['Gamma']);
    expect(await titles({ filters: JSON.stringify(filters) })).toEqual(['Gamma']);
    for (const sort_by of ['due_date', 'title']) {
      expect(await titles({ sort_by, sort_dir: 'desc' })).toEqual(
        sort_by === 'title' ? ['Gamma', 'Beta', 'Alpha'] : ['Beta', 'Alpha', 'Gamma'],
      );
    }
    expect(await titles({ sort: [{ field: 'title', direction: 'desc' }], sort_by: 'due_date' })).toEqual([
      'Gamma',
      'Beta',
      'Alpha',
    ]);
    const first = await tasks(ada, { action: 'list', limit: 2, sort_by: 'title' });
    expect([first.data.length, first.total]).toEqual([2, 3]);
    expect(await titles({ limit: '2', sort_by: 'title', cursor: first.nextCursor })).toEqual(['Gamma']);
    const over = await ada.call('crm_manage_tasks', { action: 'list', limit: 500 });
    expect([over.code, over.warnings]).toEqual(['ok', ['limit goes from 1 to 100: 500 was taken as 100']]);
  });

  it('CMT-04, 07, 08, 10: completes and reopens, and tells who made it', async () => {
    const { task_id } = await tasks(ada, { action: 'create', title: 'Finish', assigned_to_id: ben.workspaceUserId });
    expect(await tasks(ben, { action: 'complete', task_id })).toEqual({ task_id, action: 'completed' });
    expect((await tasks(ada, { action: 'get', task_id })).task).toMatchObject({
      completed_at: expect.any(String),
      completed_by: ben.workspaceUserId,
    });
    expect(await kindsTold(admin)).toContain('task_completed');
    expect(await tasks(ben, { action: 'complete', task_id, completed: 'false' })).toEqual({
      task_id,
      action: 'reopened',
    });
    expect((await tasks(ada, { action: 'get', task_id })).task).toMatchObject({
      completed_at: null,
      completed_by: null,
    });
  });

  it('CMT-05, 06: tells an assignee who is another, when it is made and when it is given to one', async () => {
    const before = (await kindsTold(benClient)).length;
    const { task_id } = await tasks(ada, { action: 'create', title: 'Given', assigned_to_id: ben.workspaceUserId });
    expect(await kindsTold(benClient)).toHaveLength(before + 1);
    await tasks(ada, { action: 'update', task_id, assigned_to_id: null });
    await tasks(ada, { action: 'update', task_id, assigned_to_id: ben.workspaceUserId });
    expect((await kindsTold(benClient)).slice(0, 2)).toEqual(['task_assigned', 'task_assigned']);
    expect(await kindsTold(benClient)).toHaveLength(before + 2);
  });

  it('CMT-09: refuses whoever may not modify it', async () => {
    const { task_id } = await tasks(ada, { action: 'create', title: 'Hers' });
    for (const args of [{ action: 'update', title: 'His' }, { action: 'complete' }, { action: 'delete' }]) {
      expect((await viewer.call('crm_manage_tasks', { ...args, task_id })).code).toBe('PERMISSION_DENIED');
    }
    expect(await tasks(ada, { action: 'delete', task_id })).toEqual({ deleted: true });
    expect((await ada.call('crm_manage_tasks', { action: 'get', task_id })).code).toBe('RECORD_NOT_FOUND');
  });
});

it('CTS-01 to 03: crm_task_stats counts what REST counts, of all or of one user', async () => {
  for (const user_id of [undefined, ben.workspaceUserId]) {
    const { json } = await admin.get('/tasks/stats', { ...(user_id !== undefined && { user_id }) });
    expect(await ada.ask('crm_task_stats', { user_id })).toEqual(json);
    expect(Object.values(json).every((count) => typeof count === 'number')).toBe(true);
  }
});

describe('crm_manage_notes', () => {
  it('CMN-01 to 05: keeps a note private unless told, and links it to the entity', async () => {
    const { note_id, action } = await notes(ada, {
      action: 'create',
      content: '<p>Met <b>Anna</b></p>',
      entity_type: 'contacts',
      entity_id: anna,
      linked_entities: [{ type: 'companies', id: globex }],
      mentioned_user_ids: [ben.workspaceUserId],
    });
    expect([note_id, action]).toEqual([expect.stringMatching(uuid), 'created']);
    const { note } = await notes(ada, { action: 'get', note_id });
    expect(note).toMatchObject({ visibility: 'private', created_by_display: { display: 'Ada Admin' } });
    expect(note.linked_entities.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'companies',
      'contacts',
    ]);
    const listed = await notes(ada, { action: 'list', entity_type: 'companies', entity_id: globex, sort_by: 'title' });
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([note_id]);
    await notes(ada, { action: 'update', note_id, content: 'Met her' });
    const updated = (await notes(ada, { action: 'get', note_id })).note;
    expect([updated.visibility, updated.title, updated.linked_entities.length]).toEqual(['private', 'Met her', 2]);
  });

  it('CMN-03: lists 20 unless told, 100 at most, the latest first, and goes on by the cursor', async () => {
    const contents = Array.from({ length: 21 }, (_, at) => `Visit ${String(at).padStart(2, '0')}`);
    for (const content of contents)
      await notes(ada, {
        action: 'create',
        content,
        entity_type: 'contacts',
        entity_id: anna,
        visibility: 'workspace',
      });
    const visits = async (args: object) => {
      const page = await notes(ada, { action: 'list', entity_type: 'contacts', entity_id: anna, ...args });
      const titles = page.data.map(({ title }: { title: string }) => title);
      return { titles: titles.filter((title: string) => title.startsWith('Visit')), shown: titles.length, ...page };
    };
    const first = await visits({});
    expect([first.shown, first.titles]).toEqual([20, contents.toReversed().slice(0, 20)]);
    const next = await visits({ cursor: first.nextCursor });
    expect([next.titles, next.nextCursor]).toEqual([['Visit 00'], undefined]);
    expect((await visits({ sort_by: 'title', sort_dir: 'asc', limit: 100 })).titles).toEqual(contents);
    expect((await visits({ sort_by: 'title', limit: 3 })).titles).toEqual(contents.toReversed().slice(0, 3));
    const { code, warnings } = await ada.call('crm_manage_notes', { action: 'list', limit: 101 });
    expect([code, warnings]).toEqual(['ok', ['limit goes from 1 to 100: 101 was taken as 100']]);
  });

  it('CMN-06, CMN-07: is not there for others while it is private', async () => {
    const { note_id } = await notes(ada, { action: 'create', content: 'Secret' });
    expect((await ben.call('crm_manage_notes', { action: 'get', note_id })).code).toBe('RECORD_NOT_FOUND');
    expect((await ben.call('crm_manage_notes', { action: 'update', note_id, content: 'x' })).code).toBe(
      'RECORD_NOT_FOUND',
    );
    expect(JSON.stringify(await notes(ben, { action: 'list' }))).not.toContain(note_id);
    await notes(ada, { action: 'update', note_id, visibility: 'workspace' });
    expect((await notes(ben, { action: 'get', note_id })).note).toMatchObject({ id: note_id, visibility: 'workspace' });
  });

  it('CMN-08 to 10: an update replaces all links that it names', async () => {
    const links = [{ type: 'contacts', id: anna }];
    const { note_id } = await notes(ada, { action: 'create', content: 'Both', linked_entities: links });
    await notes(ada, {
      action: 'update',
      note_id,
      linked_entities: JSON.stringify([{ type: 'companies', id: globex }]),
    });
    const { note } = await notes(ada, { action: 'get', note_id });
    expect(note.linked_entities).toEqual([{ id: globex, type: 'companies', display: 'Globex' }]);
    expect(await notes(ada, { action: 'delete', note_id })).toEqual({ deleted: true });
  });
});

describe('crm_create_list and crm_manage_lists', () => {
  it('CML-01 to 05, CML-08: makes a list, puts records on it and takes them off', async () => {
    const made = await ada.ask('crm_create_list', {
      name: 'Guests',
      object_types: 'contacts',
      description: 'Who comes',
      fields: [{ name: 'seat', type: 'TEXT' }],
      record_ids: [anna],
    });
    expect(made).toMatchObject({ name: 'Guests', object_types: ['contacts'], added: 1, failed: 0, entry_count: 1 });
    const list_id = made.id;
    const add = { action: 'add', list_id, object_type: 'contacts' };
    expect(await lists(ben, { ...add, record_id: anna })).toEqual({
      list_id,
      added: 0,
      skipped_already_in_list: 1,
      failed: 0,
    });
    const refused = await ben.call('crm_manage_lists', { ...add, object_type: 'companies', record_ids: [globex] });
    expect(refused.code).toBe('VALIDATION_ERROR');
    expect((await lists(ben, { ...add, record_ids: [anna, globex] })).failed).toBe(1);
    const { data, total } = await lists(ben, { action: 'get_entries', list_id });
    expect([total, data[0]]).toMatchObject([
      1,
      { record_id: anna, object_type: 'contacts', record: { display: 'Anna Berg' } },
    ]);
    expect((await lists(ben, { action: 'list' })).data.map(({ id }: { id: string }) => id)).toContain(list_id);
    expect(await lists(ben, { action: 'get', list_id })).toMatchObject({ id: list_id, description: 'Who comes' });
    expect(
      await lists(ben, { action: 'remove', list_id, object_type: 'contacts', record_ids: [anna, globex] }),
    ).toEqual({
      list_id,
      removed: 1,
      not_in_list: 1,
    });
  });

  it('CML-06: lets admins alone change and delete a list, and anybody else make none', async () => {
    const { id: list_id } = await ada.ask('crm_create_list', { name: 'Short', object_types: ['contacts'] });
    for (const args of [{ action: 'update', name: 'Long' }, { action: 'delete' }]) {
      expect((await ben.call('crm_manage_lists', { ...args, list_id })).code).toBe('PERMISSION_DENIED');
    }
    expect((await ben.call('crm_create_list', { name: 'x', object_types: ['contacts'] })).code).toBe(
      'PERMISSION_DENIED',
    );
    const changes = { name: 'Long', description: null, icon_name: 'star', color: '#fff' };
    expect(await lists(ada, { action: 'update', list_id, ...changes })).toMatchObject(changes);
    expect(await lists(ada, { action: 'delete', list_id })).toEqual({ deleted: true });
    expect((await ada.call('crm_manage_lists', { action: 'get', list_id })).code).toBe('RECORD_NOT_FOUND');
  });

  it('CML-02: needs the list for all but the list of lists, and the object for add and remove', async () => {
    for (const action of ['get', 'get_entries', 'add', 'remove', 'update', 'delete']) {
      const { code, json } = await ada.call('crm_manage_lists', {
        action,
        object_type: action.match(/add|remove/) ? 'contacts' : '',
      });
      expect([action, code, json.message]).toEqual([
        action,
        'MISSING_REQUIRED_FIELD',
        expect.stringContaining('list_id'),
      ]);
    }
    for (const action of ['add', 'remove']) {
      const { code, json } = await ada.call('crm_manage_lists', { action, list_id: anna, record_id: anna });
      expect([code, json.message]).toEqual(['MISSING_REQUIRED_FIELD', expect.stringContaining('object_type')]);
    }
  });
});
