/** [spec: crm_find_events; contract: Ingest] Meetings from a file, and who sees them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest } from './conversations.ts';
import { apply, create, expectError, uuid } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let bob: string;
let company: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ timezone: 'Europe/Berlin' });
  ada = organization.admin;
});
afterAll(() => kith.stop());

const span = { start_date: '2026-10-01', end_date: '2026-10-31' };
const titles = async (client: Client, query: object = span) =>
  (await client.get('/meetings', { ...query })).json.events.map(({ title }: { title: string }) => title);

it('CFE-04: is NOT_SUPPORTED in a workspace without meetings', async () => {
  expectError(await ada.get('/meetings', span), 'NOT_SUPPORTED');
});

it('CFE-01, CFE-02, OR-04, OR-05: has those that begin in the span, earliest first, with whom they concern', async () => {
  const user = await emailOf(ada);
  company = (await create(ada, 'companies', { name: 'Globex' })).id;
  bob = (await create(ada, 'contacts', { first_name: 'Bob', emails: 'bob@globex.test', company_id: company })).id;
  const event = (id: string, start: string, more: object = {}) => ({
    kind: 'event',
    user,
    external_id: id,
    title: id,
    start_time: start,
    ...more,
  });
  const events = [
    event('late', '2026-10-31T22:59:00Z', { status: 'tentative' }),
    event('demo', '2026-10-02T13:00:00Z', {
      end_time: '2026-10-02T13:30:00Z',
      location: 'Here',
      attendees: [{ email: 'Bob@Globex.test', name: 'Bob' }, { email: 'someone@else.test' }],
    }),
    event('after', '2026-10-31T23:00:00Z', { meeting_url: ' java\tscript:alert(1)' }),
    event('before', '2026-09-30T21:59:00Z'),
    event('first', '2026-09-30T22:00:00Z', { all_day: true }),
    event('broken', '2026-10-02T13:00:00Z', { end_time: '2026-10-01T13:00:00Z' }),
  ];
  expect(await ingest(kith, organization, events)).toMatchObject({ events: 5, skipped: 0, errors: [{ line: 6 }] });
  expect(await ingest(kith, organization, events)).toMatchObject({ events: 0, skipped: 5 });
  const { events: found, total } = (await ada.get('/meetings', span)).json;
  expect([found.map(({ title }: { title: string }) => title), total]).toEqual([['first', 'demo', 'late'], 3]);
  expect(found[1]).toEqual({
    id: expect.stringMatching(uuid),
    title: 'demo',
    start_time: '2026-10-02T13:00:00.000Z',
    end_time: '2026-10-02T13:30:00.000Z',
    all_day: false,
    status: 'confirmed',
    organizer: null,
    attendees: [
      { email: 'Bob@Globex.test', name: 'Bob', response: null, contact_id: bob },
      { email: 'someone@else.test', name: null, response: null },
    ],
    location: 'Here',
    meeting_url: null,
    thread_id: null,
    linked_entities: [
      { type: 'contacts', id: bob, display: 'Bob' },
      { type: 'companies', id: company, display: 'Globex' },
    ],
  });
});

it('gives no address that would run code', async () => {
  const { events } = (await ada.get('/meetings', { start_date: '2026-11-01', end_date: '2026-11-01' })).json;
  expect(events).toMatchObject([{ title: 'after', meeting_url: null }]);
});

it('goes by the page, and by times', async () => {
  const first = (await ada.get('/meetings', { ...span, limit: 2 })).json;
  const rest = (await ada.get('/meetings', { ...span, limit: 2, cursor: first.nextCursor })).json;
  expect([first.events.length, rest.events.length, rest.nextCursor, rest.total]).toEqual([2, 1, undefined, 3]);
  expect(await titles(ada, { start_date: '2026-10-02T13:00:00Z', end_date: '2026-10-02T13:00:01Z' })).toEqual(['demo']);
});

it('CFE-03: refuses dates that are none, and asks for both', async () => {
  expectError(await ada.get('/meetings', { ...span, end_date: 'tomorrow' }), 'INVALID_ARGUMENT');
  expectError(await ada.get('/meetings', { start_date: '2026-10-01' }), 'MISSING_REQUIRED_FIELD');
  expectError(await ada.get('/meetings', { ...span, limit: 'many' }), 'VALIDATION_ERROR');
});

it('shows a meeting to its owner, and to whoever may view a contact or a company that takes part', async () => {
  expect(await titles(await organization.user('Member'))).toEqual(['demo']);
  await apply(ada, {
    roles: [
      { name: 'Own', permissions: { '*': { view: 'own' } } },
      { name: 'Companies', permissions: { companies: { view: 'all' } } },
    ],
  });
  expect(await titles(await organization.user('Own'))).toEqual([]);
  // Whoever may make a contact can give it any address.
  await apply(ada, { roles: [{ name: 'Maker', permissions: { contacts: { view: 'own', create: true } } }] });
  const maker = await organization.user('Maker');
  const probe = await create(maker, 'contacts', {
    first_name: 'Probe',
    emails: ['bob@globex.test', await emailOf(ada)],
  });
  expect(await titles(maker)).toEqual([]);
  await ada.delete(`/records/contacts/${probe.id}`);
  const byCompany = await organization.user('Companies');
  const [demo] = (await byCompany.get('/meetings', span)).json.events;
  expect([demo.title, demo.linked_entities, demo.attendees[0].contact_id]).toEqual(['demo', [], undefined]);
});
