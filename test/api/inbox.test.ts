/** [spec: Inbox; contract: Ingest] Conversations from a file, and who sees what of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { apply, create, expectError, timestamp, uuid } from './records.ts';

const placeholder = '[Hidden by the owner of this conversation]';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let ben: Client;
let adaEmail: string;
// oxlint-disable-next-line typescript/no-explicit-any -- as the command shows it
let first: any;

const lines = (): object[] => [
  {
    kind: 'integration',
    user: adaEmail,
    provider: 'sandbox',
    channels: ['email'],
    account_email: adaEmail,
    status: 'active',
    send_enabled: true,
  },
  messageLine(adaEmail, 'm-1'),
  messageLine(adaEmail, 'm-2', {
    date: '2026-10-02T09:00:00Z',
    direction: 'outbound',
    from: adaEmail,
    to: ['bob@globex.test'],
    content_text: undefined,
    content_html: '<p>Hello <b>Bob</b><script>alert(1)</script></p>',
  }),
  messageLine(adaEmail, 'm-3', { external_thread_id: 't-2', subject: 'Open', content_visibility: 'full' }),
  messageLine(adaEmail, 'm-4', { external_thread_id: 't-3', subject: 'Closed', content_visibility: 'none' }),
  messageLine(adaEmail, 'm-5', { channel: 'whatsapp', external_thread_id: 'w-1', from: '+1 (555) 0100', to: [] }),
];

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  ben = await organization.user('Member');
  adaEmail = await emailOf(ada);
  first = await ingest(kith, organization, [
    ...lines(),
    'no JSON',
    messageLine('nobody@kith.test', 'm-6'),
    messageLine(adaEmail, 'm-7', { channel: 'pigeon' }),
    messageLine(adaEmail, 'm-8', { from: undefined }),
  ]);
});
afterAll(() => kith.stop());

const threads = async (client: Client, query: object = {}) => (await client.get('/inbox/threads', { ...query })).json;
const threadOf = async (client: Client, external: string) =>
  (await threads(client)).data.find((thread: { external_thread_id: string }) => thread.external_thread_id === external);
const messagesOf = async (external: string, query: object = {}) => {
  const { id } = await threadOf(ada, external);
  return (await ada.get(`/inbox/threads/${id}`, { ...query })).json;
};

describe('kith ingest', () => {
  it('takes the good lines and names the others', () => {
    expect(first).toMatchObject({ integrations: 1, threads: 4, interactions: 5, events: 0, skipped: 0 });
    expect(first.errors.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
      [7, 'VALIDATION_ERROR'],
      [8, 'RECORD_NOT_FOUND'],
      [9, 'VALIDATION_ERROR'],
      [10, 'MISSING_REQUIRED_FIELD'],
    ]);
  });

  it('skips what is there, and takes the visibility that a line names', async () => {
    const before = await threads(ada);
    expect(await ingest(kith, organization, lines())).toMatchObject({
      integrations: 0,
      threads: 0,
      interactions: 0,
      events: 0,
      skipped: 6,
      errors: [],
    });
    expect(await threads(ada)).toEqual(before);
    const [line] = lines().slice(3, 4);
    await ingest(kith, organization, [{ ...line, content_visibility: 'metadata_subject' }]);
    expect((await threadOf(ada, 't-2')).content_visibility).toBe('metadata_subject');
    await ingest(kith, organization, [line!]);
    expect((await threadOf(ada, 't-2')).content_visibility).toBe('full');
  });

  it('INTE2-01, OS-03: brings a known account up to date', async () => {
    const account = { ...lines()[0], status: 'expired' };
    expect(await ingest(kith, organization, [account])).toMatchObject({ integrations: 1, skipped: 0 });
    const { integrations, total } = (await ada.get('/integrations/status')).json;
    expect([integrations[0].status, integrations[0].provider, total]).toEqual(['expired', 'sandbox', 1]);
    await ingest(kith, organization, [lines()[0]!]);
  });

  it('keeps no word of a message readable in the database', async () => {
    for (const table of [
      '_interactions',
      '_interaction_contents',
      '_threads',
      '_participants',
      '_history',
      '_idempotency',
    ]) {
      const query = sql`select count(*) from ${identifier(organization.schema, table)} x where x::text ilike '%zebra%'`;
      expect((await kith.database.database.run(organization.id, statement(query))).rows, table).toEqual([['0']]);
    }
  });
});

describe('GET /inbox/threads', () => {
  it('IT-01 to 10, INBO-01 to 04: has the threads of the caller alone, latest first', async () => {
    const { data, total } = await threads(ada);
    expect(total).toBe(4);
    expect(data[0]).toEqual({
      id: expect.stringMatching(uuid),
      subject: 'Offer',
      channel: 'email',
      last_message_date: '2026-10-02T09:00:00.000Z',
      message_count: 2,
      summary: null,
      content_visibility: 'metadata_subject',
      managed_by_workspace_user_id: null,
      managed_by_workspace_user_id_display: null,
      external_thread_id: 't-1',
    });
    expect((await threadOf(ada, 'w-1')).managed_by_workspace_user_id).toBe(ada.workspaceUserId);
    expect(await threads(ben)).toEqual({ data: [], total: 0 });
  });

  it('INBO-01: filters by channel, sorts and pages', async () => {
    expect((await threads(ada, { channel: 'whatsapp' })).total).toBe(1);
    expect((await threads(ada, { channel: 'all' })).total).toBe(4);
    expect((await threads(ada, { channel: 'linkedin' })).data).toEqual([]);
    const bySubject = await threads(ada, { sort_by: 'subject', sort_dir: 'asc' });
    expect(bySubject.data.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Closed',
      'Offer',
      'Offer',
      'Open',
    ]);
    const page = await threads(ada, { limit: 3 });
    const rest = await threads(ada, { limit: 3, cursor: page.nextCursor });
    expect([page.data.length, rest.data.length, rest.nextCursor]).toEqual([3, 1, undefined]);
    expectError(await ada.get('/inbox/threads', { channel: 'pigeon' }), 'VALIDATION_ERROR');
    expectError(await ada.get('/inbox/threads', { sort_by: 'owner' }), 'INVALID_FIELD');
  });

  it('is there for a role that sees no records', async () => {
    await apply(ada, { roles: [{ name: 'Blind', permissions: { '*': { view: 'none' } } }] });
    const blind = await organization.user('Blind');
    await ingest(kith, organization, [messageLine(await emailOf(blind), 'b-1')]);
    expect((await threads(blind)).total).toBe(1);
  });
});

describe('GET /inbox/threads/{id}', () => {
  it('INBO-05, INBO-06, INTE-01 to 04: has the thread and its messages, decrypted, by the page', async () => {
    const { thread, messages, total_messages, next_message_cursor } = await messagesOf('t-1');
    expect([thread.subject, total_messages, next_message_cursor]).toEqual(['Offer', 2, null]);
    expect(messages[1]).toEqual({
      id: expect.stringMatching(uuid),
      subject: 'Offer',
      channel: 'email',
      direction: 'inbound',
      date: '2026-10-01T09:00:00.000Z',
      delivery: null,
      content: 'The zebra is in the garden',
      content_html: null,
      content_text: 'The zebra is in the garden',
      content_blocks: null,
      summary: null,
      participants: ['Bob <Bob@Globex.test>', adaEmail],
      interaction_thread_id: thread.id,
    });
    expect(messages[0]).toMatchObject({ content_html: '<p>Hello <b>Bob</b></p>', content_text: 'Hello Bob' });
    const page = await messagesOf('t-1', { message_limit: 1 });
    expect([page.messages.length, page.total_messages]).toEqual([1, 2]);
    const rest = await messagesOf('t-1', { message_limit: 1, message_cursor: page.next_message_cursor });
    expect([rest.messages[0].id, rest.next_message_cursor]).toEqual([messages[1].id, null]);
  });

  it("INBO-07: is RECORD_NOT_FOUND for another's, and for what is none", async () => {
    const { id } = await threadOf(ada, 't-1');
    expectError(await ben.get(`/inbox/threads/${id}`), 'RECORD_NOT_FOUND');
    expectError(await ada.get('/inbox/threads/x'), 'RECORD_NOT_FOUND');
    expectError(await ada.get(`/inbox/threads/${crypto.randomUUID()}`), 'RECORD_NOT_FOUND');
  });

  it('VERS-03: the scope inbox:content opens none of another, and closes none of one’s own', async () => {
    const { id } = await threadOf(ada, 't-1');
    const scoped = async (email: string) => {
      const asked = { email, name: 'scoped', scopes: ['inbox:content'] };
      return kith.client((await createToken(kith.deps, organization.id, asked)).token);
    };
    const emailOfBen = (await ben.get('/me')).json.profile.email;
    expectError(await (await scoped(emailOfBen)).get(`/inbox/threads/${id}`), 'RECORD_NOT_FOUND');
    const own = await (await scoped(adaEmail)).get(`/inbox/threads/${id}`);
    expect(own.json).toEqual((await ada.get(`/inbox/threads/${id}`)).json);
  });

  it('INBO-08: PUT is NOT_SUPPORTED', async () => {
    const { id } = await threadOf(ada, 't-1');
    expectError(await ada.put(`/inbox/threads/${id}`, { is_read: true }), 'NOT_SUPPORTED');
    expectError(await ada.put(`/inbox/threads/${id}`, {}), 'NOT_SUPPORTED');
  });
});

describe('GET /interactions/{id}', () => {
  const shown = async (client: Client, external: string) => {
    const { messages } = await messagesOf(external);
    return client.get(`/interactions/${messages[0].id}`);
  };

  it('INBO-09, INBO-10: shows its owner everything', async () => {
    for (const external of ['t-1', 't-2', 't-3', 'w-1'])
      expect((await shown(ada, external)).json.data.record).toMatchObject({
        content_text: external === 't-1' ? 'Hello Bob' : 'The zebra is in the garden',
        date: expect.stringMatching(timestamp),
      });
  });

  it('INBO-11 to 14, INTE-05, OS-05: shows others what the content visibility lets them see', async () => {
    const hidden = Object.fromEntries(
      ['content', 'content_html', 'content_text', 'content_blocks', 'summary'].map((name) => [name, placeholder]),
    );
    expect((await shown(ben, 't-2')).json.data.record).toMatchObject({
      subject: 'Open',
      content: 'The zebra is in the garden',
    });
    expect((await shown(ben, 't-1')).json.data.record).toMatchObject({ subject: 'Offer', ...hidden });
    expect((await shown(ben, 't-3')).json.data.record).toMatchObject({ subject: placeholder, ...hidden });
    expectError(await shown(ben, 'w-1'), 'RECORD_NOT_FOUND');
  });

  it('is not there for whoever sees none of the contacts that take part', async () => {
    const bob = await create(ada, 'contacts', { first_name: 'Bob', emails: 'BOB@globex.test' });
    await apply(ada, {
      roles: [{ name: 'Own', permissions: { '*': { view: 'own', create: true, update: 'own', delete: 'own' } } }],
    });
    const own = await organization.user('Own');
    expectError(await shown(own, 't-2'), 'RECORD_NOT_FOUND');
    expect((await shown(ben, 't-2')).status).toBe(200);
    // Whoever may make a contact can give it any address.
    const mine = await create(own, 'contacts', { first_name: 'Bobby', emails: ['bob@globex.test', adaEmail] });
    expectError(await shown(own, 't-2'), 'RECORD_NOT_FOUND');
    expect((await own.get(`/activity/contacts/${mine.id}`)).json.interactions).toMatchObject({ items: [], total: 0 });
    await ada.put(`/records/contacts/${bob.id}`, { owner: own.workspaceUserId });
    expect((await shown(own, 't-2')).status).toBe(200);
    expect((await own.get(`/activity/contacts/${mine.id}`)).json.interactions.total).toBe(5);
    await ada.put(`/records/contacts/${bob.id}`, { owner: ada.workspaceUserId });
    await own.delete(`/records/contacts/${mine.id}`);
    await ada.delete(`/records/contacts/${bob.id}`);
    expectError(await shown(own, 't-2'), 'RECORD_NOT_FOUND');
  });

  it('tells a role that hides where contacts can be reached nothing by it', async () => {
    const kim = await create(ada, 'contacts', { first_name: 'Kim', emails: 'kim@globex.test' });
    await ingest(kith, organization, [
      messageLine(adaEmail, 'k-1', { from: 'kim@globex.test', external_thread_id: 'k-1', content_visibility: 'full' }),
    ]);
    const fields = { emails: 'none', phones: 'none', company_id: 'none' };
    await apply(ada, {
      roles: [{ name: 'No mail', permissions: { '*': { view: 'all' }, contacts: { fields } } }],
    });
    const blind = await organization.user('No mail');
    expect((await ben.get(`/activity/contacts/${kim.id}`)).json.interactions.total).toBe(1);
    expect((await blind.get(`/activity/contacts/${kim.id}`)).json.interactions).toMatchObject({
      available: false,
      total: 0,
    });
    expectError(await shown(blind, 'k-1'), 'RECORD_NOT_FOUND');
  });
});

describe('lines that an index cannot hold', () => {
  it.each([
    ['external_id', { external_id: '漢'.repeat(500) }],
    ['external_thread_id', { external_thread_id: '漢'.repeat(500) }],
    ['to', { to: ['a'.repeat(3_000)] }],
  ])('are named by %s, and the others are taken', async (name, more) => {
    const lines = [messageLine(adaEmail, `long-${name}`), messageLine(adaEmail, `x-${name}`, more)];
    const { interactions, errors } = await ingest(kith, organization, lines);
    expect([interactions, errors[0].line, errors[0].message]).toEqual([1, 2, expect.stringContaining(name)]);
  });

  it('keep an address of any length as it is written', async () => {
    const from = `${'漢'.repeat(600)}@x.test`;
    const line = messageLine(adaEmail, 'long-from', { external_thread_id: 'long-from', from });
    expect((await ingest(kith, organization, [line])).interactions).toBe(1);
    expect((await messagesOf('long-from')).messages[0].participants[0]).toBe(from);
  });

  it('go out where the sender is the user, however that is written', async () => {
    const line = messageLine(adaEmail, 'out', {
      external_thread_id: 'out',
      from: `Ada <${adaEmail.toUpperCase()}>`,
      direction: undefined,
    });
    await ingest(kith, organization, [line]);
    expect((await messagesOf('out')).messages[0].direction).toBe('outbound');
  });
});

it.each(['linkedin', 'whatsapp', 'telegram'])(
  'INBO-14: %s is its owner’s alone, whatever its visibility',
  async (channel) => {
    const other = await kith.organization();
    const owner = await emailOf(other.admin);
    await ingest(kith, other, [
      messageLine(owner, 'p-1', { channel, external_thread_id: 'p', content_visibility: 'full' }),
    ]);
    const [thread] = (await threads(other.admin, { channel })).data;
    const { messages } = (await other.admin.get(`/inbox/threads/${thread.id}`)).json;
    expect((await other.admin.get(`/interactions/${messages[0].id}`)).json.data.record.channel).toBe(channel);
    const member = await other.user('Member');
    expectError(await member.get(`/interactions/${messages[0].id}`), 'RECORD_NOT_FOUND');
    expectError(await member.get(`/inbox/threads/${thread.id}`), 'RECORD_NOT_FOUND');
  },
);
