/** [spec: Activity] The messages of a company with very many contacts: the same as of any other, whichever way they are found. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser } from '../../src/provision/users.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { apply, create } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let ben: Client;
let company: string;
let user: string;
/** When each message of the company was sent, the latest first, as a number of minutes. */
let minutes: number[] = [];

const addressOf = (at: number) => `c${at}@huge.test`;
const time = (minute: number) => new Date(Date.UTC(2026, 9, 1) + minute * 60_000).toISOString();
const mail = (minute: number, address: string) =>
  messageLine(user, `m-${minute}`, {
    external_thread_id: `t-${minute}`,
    date: time(minute),
    from: address,
    to: [user],
  });

/** Messages from some of the company's contacts. */
async function talk(from: number, to: number): Promise<void> {
  const all = Array.from({ length: to - from }, (_, at) => from + at);
  await ingest(
    kith,
    organization,
    all.map((minute) => mail(minute, addressOf(minute % 500))),
  );
  minutes = [...all.toReversed(), ...minutes];
}

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ada = organization.admin;
  ben = await organization.user('Member');
  user = await emailOf(ada);
  company = (await create(ada, 'companies', { name: 'Huge' })).id;
  const records = Array.from({ length: 520 }, (_, at) => ({
    first_name: at % 10 === 3 ? 'Hidden' : 'Seen',
    last_name: `C ${at}`,
    emails: addressOf(at),
    company_id: company,
  }));
  await ada.post('/import/contacts', { records });
  await talk(0, 40);
});
afterAll(() => kith.stop());

interface Found {
  readonly minutes: readonly number[];
  readonly totals: ReadonlySet<number>;
}

async function walked(client: Client, query: object = {}): Promise<Found> {
  const found: number[] = [];
  const totals = new Set<number>();
  let cursor: string | undefined;
  do {
    const reply = await client.get(`/activity/companies/${company}`, { include: 'interactions', cursor, ...query });
    const { items, total, next_cursor } = reply.json.interactions;
    found.push(...items.map(({ date }: { date: string }) => (Date.parse(date) - Date.parse(time(0))) / 60_000));
    totals.add(total);
    cursor = next_cursor;
  } while (cursor !== undefined);
  return { minutes: found, totals };
}

const all = () => ({ minutes, totals: new Set([minutes.length]) });

it('ACTI-05, ACTI-06: come by the page, latest first, with their number', async () => {
  expect((await ada.get('/records/contacts')).json.total).toBe(520);
  expect(await walked(ada, { limit: 7 })).toEqual(all());
  await talk(40, 60);
  expect(await walked(ada)).toEqual(all());
  expect(await walked(ben)).toEqual(all());
});

it('ACTI-04: follow what comes in, theirs and others', async () => {
  const others = Array.from({ length: 30 }, (_, at) => mail(100 + at, 'noise@else.test'));
  await ingest(kith, organization, others);
  expect(await walked(ada)).toEqual(all());
  await talk(2_000, 2_030);
  expect(await walked(ada)).toEqual(all());
  expect(await walked(ada)).toEqual(all());
  expect(await walked(ben, { limit: 50 })).toEqual(all());
});

it('are those of the contacts that the role shows', async () => {
  const isSeen = { type: 'AND', conditions: [{ field: 'first_name', operator: 'equals', value: 'Seen' }] };
  await apply(ada, { roles: [{ name: 'Narrow', permissions: { '*': { view: 'all' }, contacts: { view: isSeen } } }] });
  const narrow = await organization.user('Narrow');
  const seen = minutes.filter((minute) => (minute % 500) % 10 !== 3);
  expect(await walked(narrow)).toEqual({ minutes: seen, totals: new Set([seen.length]) });
});

it('follow a contact that leaves, and a user who comes', async () => {
  const { data } = (await ada.get('/records/contacts', { search: addressOf(5) })).json;
  await ada.put(`/records/contacts/${data[0].id}`, { company_id: null });
  minutes = minutes.filter((minute) => minute % 500 !== 5);
  expect(await walked(ada)).toEqual(all());
  // What others wrote to an address that is a user's own is not opened by a contact that has it.
  await createUser(kith.deps, organization.id, { name: 'Cee', email: addressOf(6), role: 'Member' });
  const open = minutes.filter((minute) => minute % 500 !== 6);
  expect(await walked(ben)).toEqual({ minutes: open, totals: new Set([open.length]) });
  expect(await walked(ada)).toEqual(all());
});
