/** What was written before there was a contact: on the new one at once, on its master after a merge, and back after it is taken back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { agents, type Agent } from './agent.ts';

const placeholder = '[Hidden by the owner of this conversation]';

let kith: TestKith;
let ada: Client;
let ben: Client;
let agentOf: (client: Client) => Agent;

beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ada = organization.admin;
  ben = await organization.user('Member');
  agentOf = agents(kith);
  const user = await emailOf(ada);
  const line = (id: string, from: string, day: number, more: object = {}) =>
    messageLine(user, id, {
      external_thread_id: `t-${id}`,
      subject: id,
      from,
      date: `2026-10-0${day}T09:00:00Z`,
      content_text: 'Only for the walrus',
      ...more,
    });
  await ingest(kith, organization, [
    line('open', 'pat@x.test', 1, { content_visibility: 'full', content_text: 'For every zebra' }),
    line('usual', 'Pat <PAT@x.test>', 2),
    line('closed', 'pat@x.test', 3, { content_visibility: 'none' }),
    line('chat', '+49 151 1234567', 4, { channel: 'whatsapp', to: [] }),
    line('other', 'otto@x.test', 5),
    line('nobody', 'nobody@x.test', 6),
    {
      kind: 'event',
      user,
      external_id: 'demo',
      title: 'Demo',
      start_time: '2026-10-07T13:00:00Z',
      attendees: [{ email: 'pat@x.test' }],
    },
  ]);
});
afterAll(() => kith.stop());

interface Shown {
  readonly subject: string;
  readonly preview: string;
}

/** What one sees of a contact: the same by REST and by the tool, in sections and as a timeline. */
async function seen(client: Client, id: string): Promise<readonly string[]> {
  const agent = agentOf(client);
  const [{ json: sections }, { json: timeline }] = [
    await client.get(`/activity/contacts/${id}`),
    await client.get(`/activity/contacts/${id}`, { view: 'timeline' }),
  ];
  const about = { object_name: 'contacts', record_id: id };
  expect(await agent.ask('crm_find_activity', about)).toEqual(sections);
  expect(await agent.ask('crm_find_activity', { ...about, view: 'timeline' })).toEqual(timeline);
  expect(timeline.counts.interactions).toBe(sections.interactions.total);
  const lines = (items: readonly Shown[]) => items.map(({ subject, preview }) => `${subject}: ${preview}`);
  expect(lines(timeline.timeline)).toEqual(lines(sections.interactions.items));
  expect(sections.interactions.total).toBe(sections.interactions.items.length);
  return lines(sections.interactions.items);
}

async function invited(): Promise<readonly string[]> {
  const { json } = await ada.get('/meetings', { start_date: '2026-10-01', end_date: '2026-10-31' });
  return json.events[0].linked_entities.map(({ id }: { id: string }) => id);
}

const pats = {
  owner: [
    'chat: Only for the walrus',
    'closed: Only for the walrus',
    'usual: Only for the walrus',
    'open: For every zebra',
  ],
  other: [`${placeholder}: ${placeholder}`, `usual: ${placeholder}`, 'open: For every zebra'],
};
const ottos = { owner: ['other: Only for the walrus'], other: [`other: ${placeholder}`] };

it('shows what an address has written before, also over a merge and back, as far as each may see it', async () => {
  const made = async (client: Client, values: object) =>
    (await client.post('/records/contacts', values)).json.record.id as string;
  const pat = await made(ben, { first_name: 'Pat', emails: ['pat@x.test'], phones: [{ phone: '+49 151 1234567' }] });
  const both = async (id: string) => ({ owner: await seen(ada, id), other: await seen(ben, id) });
  expect(await both(pat)).toEqual(pats);
  expect(await invited()).toEqual([pat]);
  const otto = await made(ada, { first_name: 'Otto', emails: ['otto@x.test'] });
  expect(await both(otto)).toEqual(ottos);

  const merging = { object_name: 'contacts', duplicate_ids: [pat] };
  expect((await ada.post('/duplicates', { action: 'merge', master_id: otto, ...merging })).status).toBe(200);
  expect(await both(otto)).toEqual({
    owner: [...ottos.owner, ...pats.owner],
    other: [...ottos.other, ...pats.other],
  });
  expect(await invited()).toEqual([otto]);
  expect((await ada.get(`/activity/contacts/${pat}`)).json.code).toBe('RECORD_NOT_FOUND');

  await agentOf(ada).ask('crm_duplicates', { action: 'unmerge', ...merging });
  expect(await both(pat)).toEqual(pats);
  expect(await both(otto)).toEqual(ottos);
  expect(await invited()).toEqual([pat]);
  expect(JSON.stringify((await ben.get(`/activity/contacts/${pat}`)).json)).not.toContain('walrus');
});
