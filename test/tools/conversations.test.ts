/** [spec: crm_inbox, crm_find_activity, crm_find_events] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let ada: Agent;
let ben: Agent;
let bob: string;
let company: string;
let opportunity: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  const agentOf = agents(kith);
  ({ admin } = organization);
  [ada, ben] = [agentOf(admin), agentOf(await organization.user('Member'))];
  const made = async (object_name: string, values: object) =>
    (await ada.ask('crm_save_record', { action: 'create', object_name, values })).id as string;
  company = await made('companies', { name: 'Globex' });
  bob = await made('contacts', { first_name: 'Bob', emails: 'bob@globex.test', company_id: company });
  opportunity = await made('opportunities', { name: 'Big' });
});
afterAll(() => kith.stop());

const span = { start_date: '2026-10-01', end_date: '2026-10-31' };

it('CFE-04: crm_find_events is NOT_SUPPORTED without meeting data', async () => {
  expect((await ada.call('crm_find_events', span)).code).toBe('NOT_SUPPORTED');
});

describe('with conversations', () => {
  beforeAll(async () => {
    const user = await emailOf(admin);
    const event = (id: string, day: number) => ({
      kind: 'event',
      user,
      external_id: id,
      title: id,
      start_time: `2026-10-0${day}T13:00:00Z`,
      attendees: [{ email: 'bob@globex.test' }],
    });
    await ingest(kith, organization, [
      { kind: 'integration', user, provider: 'sandbox', channels: ['email'], account_email: user, status: 'active' },
      messageLine(user, 'm-1'),
      messageLine(user, 'm-2', { date: '2026-10-02T09:00:00Z', content_text: 'x'.repeat(300) }),
      messageLine(user, 'm-3', { external_thread_id: 't-2', subject: 'Open', content_visibility: 'full' }),
      messageLine(user, 'm-4', { external_thread_id: 't-3', subject: 'Closed', content_visibility: 'none' }),
      messageLine(user, 'm-5', { channel: 'whatsapp', external_thread_id: 'w-1', from: 'bob@globex.test' }),
      event('late', 3),
      event('early', 2),
    ]);
    for (const index of [1, 2, 3]) {
      const links = [{ type: 'contacts', id: bob }];
      await ada.ask('crm_manage_tasks', { action: 'create', title: `Task ${index}`, linked_entities: links });
      await ada.ask('crm_manage_notes', {
        action: 'create',
        content: `Note ${index}`,
        linked_entities: links,
        visibility: 'workspace',
      });
    }
  });

  const inbox = (agent: Agent, args: object) => agent.ask('crm_inbox', { ...args });
  const threads = async (agent: Agent, args: object = {}) =>
    (await inbox(agent, { action: 'list_threads', ...args })).data;

  it('CI-01 to 07, CI-12, CI-14: lists own threads alone, as REST does', async () => {
    const { json } = await admin.get('/inbox/threads');
    expect(await inbox(ada, { action: 'list_threads' })).toEqual(json);
    expect(json.total).toBe(4);
    expect(await threads(ben)).toEqual([]);
    expect((await threads(ada, { channel: 'whatsapp' })).map(({ channel }: { channel: string }) => channel)).toEqual([
      'whatsapp',
    ]);
    const first = await inbox(ada, { action: 'list_threads', sort_by: 'subject', sort_dir: 'asc', limit: 1 });
    expect(first.data[0].subject).toBe('Closed');
    const next = await inbox(ada, {
      action: 'list_threads',
      sort_by: 'subject',
      sort_dir: 'asc',
      limit: 1,
      cursor: first.nextCursor,
    });
    expect(next.data[0].subject).toBe('Offer');
    expect((await ada.call('crm_inbox', { action: 'list_threads', channel: 'fax' })).json).toMatchObject({
      code: 'VALIDATION_ERROR',
      available_values: expect.arrayContaining(['all', 'email', 'meeting', 'linkedin', 'whatsapp']),
    });
  });

  it('CI-08 to 10, CI-13: pages the messages of a thread', async () => {
    const [thread] = await threads(ada, { sort_by: 'subject', sort_dir: 'asc', channel: 'email', limit: 2 }).then(
      (all) => all.filter(({ subject }: { subject: string }) => subject === 'Offer'),
    );
    const first = await inbox(ada, { action: 'get_thread', thread_id: thread.id, message_limit: 1 });
    expect(first).toMatchObject({
      thread: { id: thread.id },
      total_messages: 2,
      next_message_cursor: expect.any(String),
    });
    const rest = await inbox(ada, {
      action: 'get_thread',
      thread_id: thread.id,
      message_limit: 1,
      message_cursor: first.next_message_cursor,
    });
    expect([rest.messages.length, rest.next_message_cursor]).toEqual([1, null]);
    const small = await ada.call('crm_inbox', { action: 'get_thread', thread_id: thread.id, max_tokens: 500 });
    expect(small.length).toBeLessThanOrEqual(2_000);
    expect([small.json.messages.length, small.json.truncated, small.json.next_message_cursor]).toEqual([
      1,
      true,
      expect.any(String),
    ]);
    expect((await ben.call('crm_inbox', { action: 'get_thread', thread_id: thread.id })).code).toBe('RECORD_NOT_FOUND');
    const without = await ada.call('crm_inbox', { action: 'get_thread' });
    expect([without.code, without.json.message]).toEqual([
      'MISSING_REQUIRED_FIELD',
      'thread_id is required: get_thread needs it, and crm_inbox list_threads has it. For example: {"action":"get_thread","thread_id":"<thread_id>"}',
    ]);
  });

  it('CI-11, CI-15: shows others a message as far as its thread lets them', async () => {
    const messageOf = async (subject: string, channel = 'email') => {
      const found = (await threads(ada, { channel })).find((thread: { subject: string }) => thread.subject === subject);
      const { messages } = await inbox(ada, { action: 'get_thread', thread_id: found.id });
      return messages[0].id as string;
    };
    const read = async (interaction_id: string) => ben.call('crm_inbox', { action: 'get_interaction', interaction_id });
    const open = await messageOf('Open');
    expect((await read(open)).json.data.record).toMatchObject({
      subject: 'Open',
      content_text: expect.stringContaining('zebra'),
    });
    expect(JSON.stringify((await read(await messageOf('Closed'))).json)).not.toMatch(/zebra|Closed/);
    expect((await read(await messageOf('Offer', 'whatsapp'))).code).toBe('RECORD_NOT_FOUND');
  });

  it('CFA-01 to 03: has sections of which each is paged by its own cursor', async () => {
    const about = { object_name: 'contacts', record_id: bob };
    const { json } = await admin.get(`/activity/contacts/${bob}`);
    expect(await ada.ask('crm_find_activity', about)).toEqual(json);
    const first = await ada.ask('crm_find_activity', { ...about, include: ['tasks', 'notes'], limit: 2 });
    expect(Object.keys(first)).toEqual(['record', 'tasks', 'notes']);
    expect(first.tasks).toMatchObject({ total: 3, has_more: true, next_cursor: expect.any(String) });
    const cursors = { tasks_cursor: first.tasks.next_cursor };
    const next = await ada.ask('crm_find_activity', { ...about, include: ['tasks', 'notes'], limit: 2, ...cursors });
    expect([next.tasks.items.length, next.tasks.has_more, next.notes.items.length]).toEqual([1, false, 2]);
    expect((await ada.ask('crm_find_activity', { ...about, task_status: 'completed' })).tasks.total).toBe(0);
    expect((await ada.ask('crm_find_activity', { ...about, task_mode: 'overdue' })).tasks.total).toBe(0);
    expect((await ben.ask('crm_find_activity', { ...about, notes_quick_filter: 'my_items' })).notes.total).toBe(0);
    expect((await ada.ask('crm_find_activity', { ...about, channel: 'whatsapp' })).interactions.total).toBe(1);
    expect((await ada.ask('crm_find_activity', { ...about, channel: 'phone' })).interactions.total).toBe(0);
    const ofCompany = { object_name: 'companies', record_id: company, contact_id: bob };
    expect((await ada.ask('crm_find_activity', ofCompany)).interactions.total).toBe(5);
    for (const [name, value] of Object.entries({ view: 'list', include: 'calls', task_status: 'x', task_mode: 'x' })) {
      expect([name, (await ada.call('crm_find_activity', { ...about, [name]: value })).code]).toEqual([
        name,
        'VALIDATION_ERROR',
      ]);
    }
  });

  it('CFA-04: merges all as a timeline, newest first', async () => {
    const about = { object_name: 'contacts', record_id: bob, view: 'timeline' };
    const { timeline, counts } = await ada.ask('crm_find_activity', { ...about, limit: 50 });
    expect(counts).toEqual({ interactions: 5, tasks: 3, notes: 3 });
    expect(new Set(timeline.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['interaction', 'task', 'note']),
    );
    const dates = timeline.map(({ date }: { date: string }) => Date.parse(date));
    expect(dates).toEqual(dates.toSorted((a: number, b: number) => b - a));
    const first = await ada.ask('crm_find_activity', { ...about, limit: 4 });
    const rest = await ada.ask('crm_find_activity', { ...about, limit: 50, cursor: first.next_cursor });
    expect([...first.timeline, ...rest.timeline]).toEqual(timeline);
  });

  it('CFA-05 to 07: has messages of contacts and companies alone, as far as they may be read', async () => {
    const about = { object_name: 'contacts', record_id: bob };
    expect(
      (await ada.ask('crm_find_activity', { object_name: 'opportunities', record_id: opportunity })).interactions,
    ).toMatchObject({
      available: false,
      reason: expect.any(String),
    });
    const { interactions } = await ben.ask('crm_find_activity', about);
    expect(interactions.total).toBe(4);
    expect(JSON.stringify(interactions.items)).not.toContain('whatsapp');
    expect(interactions.items.every(({ preview }: { preview: string }) => preview.length <= 200)).toBe(true);
    expect(interactions.items.filter(({ preview }: { preview: string }) => preview.includes('zebra'))).toHaveLength(1);
    const small = await ada.call('crm_find_activity', { ...about, max_tokens: 800 });
    expect([small.code, small.length <= 3_200]).toEqual(['ok', true]);
    expect(small.json.interactions.has_more).toBe(true);
  });

  it('CFE-01 to 03: finds meetings in a span, earliest first, as far as they may be seen', async () => {
    const { events, total } = await ada.ask('crm_find_events', { action: 'list', ...span });
    expect([events.map(({ title }: { title: string }) => title), total]).toEqual([['early', 'late'], 2]);
    expect((await ada.ask('crm_find_events', { ...span, limit: 1 })).events).toHaveLength(1);
    expect((await ada.ask('crm_find_events', { start_date: '2026-10-03', end_date: '2026-10-03' })).total).toBe(1);
    for (const wrong of ['tomorrow', '2026-13-01', 5]) {
      expect((await ada.call('crm_find_events', { ...span, start_date: wrong })).code).toBe('INVALID_ARGUMENT');
    }
    for (const name of ['start_date', 'end_date']) {
      const { code, json } = await ada.call('crm_find_events', { ...span, [name]: '' });
      expect([code, json.message]).toEqual(['MISSING_REQUIRED_FIELD', expect.stringContaining(name)]);
    }
    expect((await ada.call('crm_find_events', { action: 'make', ...span })).code).toBe('VALIDATION_ERROR');
  });
});
