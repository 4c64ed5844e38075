/** [spec: Inbox] The list of conversations with the last message of each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataKey } from '../../src/auth/data-key.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { apply, create, createAll, uuid } from './records.ts';

const all = { view: 'all', create: true, update: 'all', delete: 'all' };

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let adaEmail: string;
let bob: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  adaEmail = await emailOf(ada);
  bob = (await create(ada, 'contacts', { first_name: 'Bob', emails: ['bob@globex.test'] })).id;
  await create(ada, 'contacts', { first_name: 'Pat', phones: ['+1 555 0100'] });
  const lines = [
    messageLine(adaEmail, 'm-1'),
    messageLine(adaEmail, 'm-2', {
      date: '2026-10-02T09:00:00Z',
      direction: 'outbound',
      from: adaEmail,
      to: ['Bob <Bob@Globex.test>', 'eve@other.test'],
      content_text: undefined,
      content_html: `<p>Hello <b>Bob</b></p>${'<p>more</p>'.repeat(100)}`,
    }),
    messageLine(adaEmail, 'm-3', { external_thread_id: 't-2', date: '2026-10-03T09:00:00Z', content_text: '' }),
    messageLine(adaEmail, 'm-4', {
      channel: 'whatsapp',
      external_thread_id: 'w-1',
      from: '+1 (555) 0100',
      to: [],
      date: '2026-10-04T09:00:00Z',
      content_text: 'ring me',
      content_visibility: 'none',
    }),
  ];
  await ingest(kith, organization, lines);
});
afterAll(() => kith.stop());

const threads = async (client: Client, query: object = {}) => {
  const reply = await client.get('/inbox/threads', { last_message: true, ...query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};

// oxlint-disable-next-line typescript/no-unused-vars -- left out
const withoutContacts = ({ contacts, ...message }: { contacts: object }) => message;

describe('GET /inbox/threads/{id}?contacts=true', () => {
  it('has the visible contacts who take part in each message', async () => {
    const { data } = await threads(ada, { channel: 'email', search: 'eve' });
    const [{ id, last_message: last }] = data;
    const plain = (await ada.get(`/inbox/threads/${id}`)).json;
    const { messages, ...rest } = (await ada.get(`/inbox/threads/${id}`, { contacts: true })).json;
    expect({ ...rest, messages: messages.map(withoutContacts) }).toEqual(plain);
    expect(messages[0].contacts).toEqual(last.contacts);
    expect(messages[0].contacts).toMatchObject([{ id: bob, display: 'Bob' }]);
    expect((await ada.get(`/inbox/threads/${id}`, { contacts: 'often' })).status).toBe(400);
  });
});

describe('GET /inbox/threads?last_message=true', () => {
  it('has what the list has, and the last message of each', async () => {
    const { data, total } = await threads(ada);
    const plain = (await ada.get('/inbox/threads')).json;
    // oxlint-disable-next-line typescript/no-unused-vars -- left out
    expect(data.map(({ last_message, ...thread }: { last_message: object }) => thread)).toEqual(plain.data);
    expect(total).toBe(plain.total);
    expect(data.map(({ last_message: last }: { last_message: object }) => last)).toEqual([
      {
        id: expect.stringMatching(uuid),
        direction: 'inbound',
        date: '2026-10-04T09:00:00.000Z',
        preview: 'ring me',
        participants: ['+1 (555) 0100'],
        contacts: [{ address: '15550100', id: expect.stringMatching(uuid), display: 'Pat' }],
      },
      expect.objectContaining({ date: '2026-10-03T09:00:00.000Z', preview: '' }),
      {
        id: expect.stringMatching(uuid),
        direction: 'outbound',
        date: '2026-10-02T09:00:00.000Z',
        preview: expect.stringMatching(/^Hello Bob more .*…$/s),
        participants: [adaEmail, 'Bob <Bob@Globex.test>', 'eve@other.test'],
        contacts: [{ address: 'bob@globex.test', id: bob, display: 'Bob' }],
      },
    ]);
  });

  it('pages, filters and searches as without', async () => {
    const first = await threads(ada, { limit: 2 });
    const second = await threads(ada, { limit: 2, cursor: first.nextCursor });
    expect([first.data.length, second.data.length, second.nextCursor]).toEqual([2, 1, undefined]);
    expect(second.data[0].last_message.preview).toContain('Hello');
    expect((await threads(ada, { channel: 'whatsapp' })).data).toMatchObject([
      { last_message: { preview: 'ring me' } },
    ]);
    expect((await threads(ada, { search: 'globex', sort_by: 'subject' })).data).toHaveLength(2);
    expect(await threads(ada, { channel: 'linkedin' })).toEqual({ data: [], total: 0 });
  });

  it('names one contact of those with the same address, and of 20 participants', async () => {
    const user = await organization.user('Member');
    const shared = Array.from({ length: 3 }, () => ({ first_name: 'Info', emails: ['info@shared.test'] }));
    await createAll(ada, 'contacts', shared);
    const to = ['info@shared.test', ...Array.from({ length: 40 }, (_, at) => `x${at}@shared.test`)];
    await ingest(kith, organization, [messageLine(await emailOf(user), 'shared', { from: 'bob@globex.test', to })]);
    const [{ last_message: last }] = (await threads(user)).data;
    expect(last.participants).toHaveLength(42);
    expect(last.contacts).toMatchObject([
      { address: 'bob@globex.test' },
      { address: 'info@shared.test', display: 'Info' },
    ]);
  });

  it('shows nobody the messages of others, and no contact that the role hides', async () => {
    const ben = await organization.user('Member');
    expect(await threads(ben)).toEqual({ data: [], total: 0 });
    await apply(ada, {
      roles: [
        { name: 'Own contacts', permissions: { '*': all, contacts: { ...all, view: 'own' } } },
        { name: 'Addressless', permissions: { '*': all, contacts: { ...all, fields: { emails: 'none' } } } },
        { name: 'Nameless', permissions: { '*': all, contacts: { ...all, fields: { first_name: 'none' } } } },
      ],
    });
    for (const [role, contacts] of [
      ['Member', [{ address: 'bob@globex.test', id: bob, display: 'Bob' }]],
      ['Own contacts', []],
      ['Addressless', []],
      ['Nameless', [{ address: 'bob@globex.test', id: bob, display: null }]],
    ] as const) {
      const user = await organization.user(role);
      await ingest(kith, organization, [messageLine(await emailOf(user), `of ${role}`)]);
      const { data } = await threads(user);
      expect(
        data.map(({ last_message: { contacts: named } }: { last_message: { contacts: object } }) => named),
        role,
      ).toEqual([contacts]);
    }
  });

  it('is the one before once the last has gone, and null once none is left', async () => {
    const user = await organization.user('Admin');
    const email = await emailOf(user);
    await ingest(kith, organization, [
      messageLine(email, 'g-1', { content_text: 'first' }),
      messageLine(email, 'g-2', { content_text: 'second', date: '2026-10-05T09:00:00Z' }),
    ]);
    const table = identifier(organization.schema, '_interactions');
    for (const expected of ['second', 'first', undefined]) {
      const [{ last_message: last }] = (await threads(user)).data;
      expect(last?.preview).toBe(expected);
      if (expected === undefined) expect(last).toBeNull();
      const query = sql`update ${table} set deleted_at = now() where id = ${last?.id ?? null}::uuid`;
      await kith.database.database.run(organization.id, statement(query));
    }
  });

  it('is without its preview where the key of the organization is lost, as in the activity of a contact and in the thread', async () => {
    const org = await kith.deps.directory.requireOrganization(organization.id);
    const table = identifier(organization.schema, '_organization');
    const query = sql`update ${table} set data_key = ${newDataKey(kith.deps.keyring, org)}`;
    await kith.database.database.run(organization.id, statement(query));
    const { data } = await threads(ada);
    expect(data).toHaveLength(3);
    for (const { last_message: last } of data)
      expect(last).toMatchObject({ preview: null, id: expect.stringMatching(uuid) });
    const { interactions } = (await ada.get(`/activity/contacts/${bob}`)).json;
    expect(interactions.items.map(({ preview }: { preview: string | null }) => preview)).toContain(null);
    const reply = await ada.get(`/inbox/threads/${data[2].id}`);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.messages).toMatchObject([{ subject: 'Offer', content: null, content_text: null }, {}]);
  });
});
