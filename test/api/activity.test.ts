/** [spec: Activity] What happened around a record, in sections and as a timeline. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { apply, create, expectError, timestamp, uuid } from './records.ts';

const placeholder = '[Hidden by the owner of this conversation]';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let ben: Client;
let company: string;
let bob: string;
let eve: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  ben = await organization.user('Member');
  company = (await create(ada, 'companies', { name: 'Globex' })).id;
  const at = { company_id: company };
  bob = (
    await create(ada, 'contacts', {
      first_name: 'Bob',
      last_name: 'Roe',
      ...at,
      emails: ['bob@globex.test', 'Bob@home.test'],
    })
  ).id;
  eve = (await create(ada, 'contacts', { first_name: 'Eve', ...at, emails: 'eve@globex.test', phones: '+1 555 0100' }))
    .id;
  const user = await emailOf(ada);
  const mail = (id: string, day: number, more: object) =>
    messageLine(user, id, { external_thread_id: `t-${id}`, date: `2026-10-0${day}T09:00:00Z`, ...more });
  await ingest(kith, organization, [
    mail('m-1', 1, { from: 'bob@globex.test', to: [user], content_visibility: 'full' }),
    mail('m-2', 2, { from: user, to: ['BOB@HOME.TEST', 'bob@globex.test'], content_text: 'x'.repeat(500) }),
    mail('m-3', 3, { from: 'eve@globex.test', to: [user], content_visibility: 'none' }),
    mail('m-4', 4, { channel: 'whatsapp', from: '001 (555) 0100', to: [] }),
    mail('m-5', 5, { from: 'stranger@else.test', to: [user] }),
  ]);
  for (const linked of [bob, eve])
    await ada.post('/notes', {
      content: `<p>About <b>it</b></p>`,
      data: { visibility: 'workspace' },
      entity_type: 'contacts',
      entity_id: linked,
    });
  await ada.post('/notes', { content: 'A secret', entity_type: 'contacts', entity_id: bob });
});
afterAll(() => kith.stop());

const activity = async (client: Client, id: string, query: object = {}, object = 'contacts') =>
  (await client.get(`/activity/${object}/${id}`, { ...query })).json;
const subjects = (section: { items: { date: string }[] }) => section.items.map(({ date }) => Number(date.slice(8, 10)));

describe('tasks of GET /activity/{object}/{id}', () => {
  it('AI-02: are those that are linked to the record, with who is to do them', async () => {
    const made = async (title: string, more: object) =>
      (await ada.post('/tasks', { title, linked_entities: [{ id: eve, type: 'contacts' }], ...more })).json.task_id;
    const call = await made('Call', {
      due_date: '2020-01-01',
      priority: 'urgent',
      assigned_to_id: ben.workspaceUserId,
    });
    const done = await made('Write', {});
    await ada.put(`/tasks/${done}/complete`);
    const { tasks } = await activity(ada, eve);
    expect([tasks.total, tasks.items.map(({ status }: { status: string }) => status)]).toEqual([2, ['done', 'open']]);
    expect(tasks.items[1]).toEqual({
      id: call,
      title: 'Call',
      status: 'open',
      due_date: expect.stringMatching(timestamp),
      priority: 'urgent',
      assignee: { id: ben.workspaceUserId, display: expect.any(String) },
      date: expect.stringMatching(timestamp),
    });
    expect(tasks.items[0].assignee).toBeNull();
    const idsOf = async (query: object) =>
      (await activity(ada, eve, query)).tasks.items.map(({ id }: { id: string }) => id);
    expect(await idsOf({ task_status: 'open' })).toEqual([call]);
    expect(await idsOf({ task_status: 'completed' })).toEqual([done]);
    expect(await idsOf({ task_mode: 'overdue' })).toEqual([call]);
    expect(await idsOf({ task_mode: 'upcoming' })).toEqual([]);
    expectError(await ada.get(`/activity/contacts/${eve}`, { task_mode: 'someday' }), 'VALIDATION_ERROR');
    await apply(ada, {
      roles: [
        {
          name: 'Blind',
          permissions: {
            '*': { view: 'all' },
            tasks: { fields: { is_completed: 'none', due_date: 'none', assigned_to_id: 'none' } },
            notes: { fields: { content: 'none', created_by: 'none' } },
          },
        },
      ],
    });
    const unaware = await organization.user('Blind');
    for (const [view, tasksOf, notesOf] of [
      ['sections', 'tasks', 'notes'],
      ['timeline', 'timeline', 'timeline'],
    ] as const) {
      const found = await activity(unaware, eve, { view });
      const keysOf = (at: string, id: string) => {
        const items: { id: string }[] = Array.isArray(found[at]) ? found[at] : found[at].items;
        return Object.keys(items.find((item) => item.id === id) ?? {}).filter((key) => key !== 'kind');
      };
      const [note] = (await activity(ada, eve)).notes.items;
      expect(keysOf(tasksOf, call)).toEqual(['id', 'title', 'priority', 'date']);
      expect(keysOf(notesOf, note.id)).toEqual(['id', 'date']);
    }
    await ada.delete(`/tasks/${call}`);
    await ada.delete(`/tasks/${done}`);
    expect((await activity(ada, eve)).tasks.total).toBe(0);
  });
});

describe('GET /activity/{object}/{id}', () => {
  it('ACTI-01, ACTI-02, ACTI-07 to 10, AI-01, AI-03: has a section each, latest first', async () => {
    const found = await activity(ada, bob);
    expect(found.record).toEqual({ object_name: 'contacts', id: bob, display: 'Bob Roe' });
    expect(found.interactions).toMatchObject({ available: true, total: 2, has_more: false });
    expect(found.interactions.next_cursor).toBeUndefined();
    expect(found.interactions.items[1]).toEqual({
      id: expect.stringMatching(uuid),
      channel: 'email',
      date: '2026-10-01T09:00:00.000Z',
      direction: 'inbound',
      subject: 'Offer',
      preview: 'The zebra is in the garden',
      participants: ['bob@globex.test', await emailOf(ada)],
      thread_id: expect.stringMatching(uuid),
    });
    expect(found.interactions.items[0].preview).toHaveLength(200);
    expect(found.tasks).toEqual({ items: [], total: 0, has_more: false });
    expect(found.notes).toMatchObject({ total: 2, has_more: false });
    expect(found.notes.items[1]).toEqual({
      id: expect.stringMatching(uuid),
      title: 'About it',
      preview: 'About it',
      author: { id: ada.workspaceUserId, display: 'Ada Admin' },
      date: expect.stringMatching(timestamp),
    });
  });

  it('ACTI-04: of a company has what its contacts take part in, by whatever address', async () => {
    const found = await activity(ada, company, {}, 'companies');
    expect(subjects(found.interactions)).toEqual([4, 3, 2, 1]);
    expect(found.interactions.total).toBe(4);
    const ofEve = await activity(ada, company, { contact_id: eve }, 'companies');
    expect(subjects(ofEve.interactions)).toEqual([4, 3]);
    expect(subjects((await activity(ada, company, { channel: 'whatsapp' }, 'companies')).interactions)).toEqual([4]);
  });

  it('shows others what the content visibility lets them see, and no messenger of another', async () => {
    const { interactions, notes } = await activity(ben, company, {}, 'companies');
    expect(subjects(interactions)).toEqual([3, 2, 1]);
    expect(
      interactions.items.map(({ subject, preview }: { subject: string; preview: string }) => [subject, preview]),
    ).toEqual([
      [placeholder, placeholder],
      ['Offer', placeholder],
      ['Offer', 'The zebra is in the garden'],
    ]);
    expect([interactions.total, notes.total]).toEqual([3, 0]);
    expect((await activity(ben, bob)).notes.total).toBe(1);
  });

  it('ACTI-05, ACTI-06, ACTI-08, ACTI-09: pages each section by its own cursor', async () => {
    const days: number[] = [];
    let cursor: string | undefined;
    do {
      const { interactions } = await activity(ada, company, { limit: 1, include: 'interactions', cursor }, 'companies');
      days.push(...subjects(interactions));
      expect(interactions.total).toBe(4);
      expect(interactions.has_more).toBe(interactions.next_cursor !== undefined);
      cursor = interactions.next_cursor;
    } while (cursor !== undefined);
    expect(days).toEqual([4, 3, 2, 1]);
    const first = await activity(ada, bob, { limit: 1 });
    const second = await activity(ada, bob, { limit: 1, notes_cursor: first.notes.next_cursor });
    expect(second.notes.items[0].id).not.toBe(first.notes.items[0].id);
    expectError(await ada.get(`/activity/contacts/${bob}`, { cursor: first.notes.next_cursor }), 'VALIDATION_ERROR');
    expectError(
      await ada.get(`/activity/contacts/${eve}`, { notes_cursor: first.notes.next_cursor }),
      'VALIDATION_ERROR',
    );
  });

  it('ACTI-03, ACTI-11: leaves out what is not included', async () => {
    expect(Object.keys(await activity(ada, bob, { include: 'notes' }))).toEqual(['record', 'notes']);
    expect(Object.keys(await activity(ada, bob, { include: 'tasks, interactions' }))).toEqual([
      'record',
      'interactions',
      'tasks',
    ]);
    expectError(await ada.get(`/activity/contacts/${bob}`, { include: 'deals' }), 'VALIDATION_ERROR');
    expectError(await ada.get(`/activity/contacts/${bob}`, { view: 'list' }), 'VALIDATION_ERROR');
    expect(await activity(ada, bob, { view: 'sections' })).toEqual(await activity(ada, bob));
  });

  it('ACTI-12, ACTI-13: has no interactions but for contacts and companies', async () => {
    const deal = (await create(ada, 'opportunities', { name: 'Deal' })).id;
    const { interactions, notes } = await activity(ada, deal, {}, 'opportunities');
    expect(interactions).toEqual({
      available: false,
      reason: expect.any(String),
      items: [],
      total: 0,
      has_more: false,
    });
    expect(notes.total).toBe(0);
    expect((await activity(ada, deal, { view: 'timeline' }, 'opportunities')).interactions_available).toBe(false);
  });

  it('ACTI-13: says why a role finds no messages, and not more', async () => {
    const fields = (hidden: readonly string[]) => ({
      permissions: {
        '*': { view: 'all' },
        contacts: { fields: Object.fromEntries(hidden.map((name) => [name, 'none'])) },
      },
    });
    await apply(ada, {
      roles: [
        { name: 'No addresses', ...fields(['emails', 'phones']) },
        { name: 'No employers', ...fields(['company_id']) },
      ],
    });
    const reasonOf = async (role: string, id: string, object: string) => {
      const { interactions } = await activity(await organization.user(role), id, {}, object);
      expect([interactions.available, interactions.total]).toEqual([false, 0]);
      return interactions.reason;
    };
    expect(await reasonOf('No addresses', bob, 'contacts')).toContain('your role sees none of these');
    expect(await reasonOf('No addresses', company, 'companies')).toContain('your role sees none of these');
    expect(await reasonOf('No employers', company, 'companies')).toContain('does not see where contacts work');
    const unaware = await organization.user('No employers');
    expect((await activity(unaware, bob)).interactions).toMatchObject({ available: true, total: 2 });
  });

  it('ACTI-14 to 16: as a timeline merges them, latest first, by the page', async () => {
    const all = await activity(ada, bob, { view: 'timeline' });
    expect(all).toMatchObject({
      interactions_available: true,
      counts: { interactions: 2, tasks: 0, notes: 2 },
      has_more: false,
    });
    expect(all.timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
      'note',
      'note',
      'interaction',
      'interaction',
    ]);
    expect(all.next_cursor).toBeUndefined();
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await activity(ada, bob, { view: 'timeline', limit: 1, cursor });
      pages.push(...page.timeline.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(pages).toEqual(all.timeline.map(({ id }: { id: string }) => id));
    const { next_cursor } = await activity(ada, bob, { view: 'timeline', limit: 1 });
    const other = { view: 'timeline', limit: 1, cursor: next_cursor, channel: 'email' };
    expectError(await ada.get(`/activity/contacts/${bob}`, other), 'VALIDATION_ERROR');
    const without = await activity(ada, bob, { view: 'timeline', include: 'notes' });
    expect(without.interactions_available).toBeUndefined();
    expect(without.counts).toEqual({ interactions: 0, tasks: 0, notes: 2 });
  });

  it('refuses a cursor that nothing of the answer goes on by', async () => {
    const deal = await create(ada, 'opportunities', { name: 'Deal' });
    const { next_cursor } = (await activity(ada, bob, { limit: 1, include: 'notes' })).notes;
    const ofDeal = `/activity/opportunities/${deal.id}`;
    const ofBob = `/activity/contacts/${bob}`;
    for (const [path, query] of [
      [ofDeal, { cursor: 'junk' }],
      [ofDeal, { interactions_cursor: 'junk' }],
      [ofDeal, { view: 'timeline', include: 'interactions', cursor: 'junk' }],
      [ofBob, { include: 'notes', tasks_cursor: 'junk' }],
      [ofBob, { include: 'tasks', notes_cursor: next_cursor }],
      [ofBob, { view: 'timeline', notes_cursor: next_cursor }],
    ] as const) {
      const reply = await ada.get(path, query);
      expectError(reply, 'VALIDATION_ERROR');
      expect(reply.json.message).toMatch(/^Nothing of this answer goes on by \w*cursor: leave it out$/);
    }
    expectError(await ada.get(ofDeal, { view: 'timeline', cursor: 'junk' }), 'VALIDATION_ERROR');
    expect((await ada.get(ofBob, { include: 'notes', notes_cursor: next_cursor })).status).toBe(200);
  });

  it('follows a contact that comes, changes and goes', async () => {
    expect((await activity(ada, eve)).interactions.total).toBe(2);
    const late = (await create(ada, 'contacts', { first_name: 'Stranger', emails: 'Stranger@Else.test' })).id;
    expect(subjects((await activity(ada, late)).interactions)).toEqual([5]);
    await ada.put(`/records/contacts/${late}`, { emails: 'other@else.test' });
    expect((await activity(ada, late)).interactions.total).toBe(0);
    await ada.put(`/records/contacts/${late}`, { emails: 'stranger@else.test', company_id: company });
    expect(subjects((await activity(ada, company, {}, 'companies')).interactions)).toEqual([5, 4, 3, 2, 1]);
    await ada.delete(`/records/contacts/${late}`);
    expect((await activity(ada, company, {}, 'companies')).interactions.total).toBe(4);
  });

  it('has nothing in the order of times that the role hides', async () => {
    await apply(ada, {
      roles: [{ name: 'No times', permissions: { '*': { view: 'all' }, notes: { fields: { created_at: 'none' } } } }],
    });
    const timeless = await organization.user('No times');
    expect((await activity(timeless, bob)).notes).toEqual({ items: [], total: 0, has_more: false });
    expect((await activity(timeless, bob, { view: 'timeline' })).counts.notes).toBe(0);
    expect((await activity(ben, bob)).notes.total).toBe(1);
  });

  it('is there for whoever sees the record alone', async () => {
    await apply(ada, {
      roles: [
        { name: 'Own', permissions: { '*': { view: 'own' } } },
        { name: 'Companies', permissions: { companies: { view: 'all' } } },
      ],
    });
    const own = await organization.user('Own');
    expectError(await own.get(`/activity/contacts/${bob}`), 'RECORD_NOT_FOUND');
    const only = await organization.user('Companies');
    expect((await activity(only, company, {}, 'companies')).interactions.total).toBe(0);
    expectError(await only.get(`/activity/contacts/${bob}`), 'PERMISSION_DENIED');
    expectError(await ada.get('/activity/contacts/x'), 'RECORD_NOT_FOUND');
    const unknown = await ada.get(`/activity/nothing/${bob}`);
    expectError(unknown, 'INVALID_OBJECT');
    expect(unknown.json.available_values).toContain('contacts');
  });
});
