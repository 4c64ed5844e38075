/** What looks at the day changes at midnight of the organization, though nobody writes: what was remembered is asked anew. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { createAll } from './records.ts';

let kith: TestKith;
let admin: Client;

/** Midnight of a day in New York is at five. */
const evening = Date.parse('2026-03-03T04:59:59.999Z');
const midnight = evening + 1;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening });
  kith = await startKith();
  ({ admin } = await kith.organization({ timezone: 'America/New_York' }));
  const fields = [
    { name: 'name', type: 'TEXT' },
    { name: 'due', type: 'DATE' },
    { name: 'late', type: 'CALCULATED', calculation: { expression: 'due < today()', outputType: 'BOOLEAN' } },
    { name: 'day', type: 'CALCULATED', calculation: { expression: 'today()', outputType: 'DATE' } },
  ];
  await applied(admin, { objects: [{ name: 'chores', fields }] });
  await createAll(admin, 'chores', [
    { name: 'yesterday', due: '2026-03-01' },
    { name: 'today', due: '2026-03-02' },
    { name: 'tomorrow', due: '2026-03-03' },
  ]);
});
afterAll(async () => {
  vi.useRealTimers();
  await kith.stop();
});
beforeEach(() => void vi.setSystemTime(evening));

const late = { filter_field: 'late', filter_operator: 'is_true' };

it('today() is the day of the organization, whatever the time zone of the request', async () => {
  const days = async (zone?: string) => {
    const { json } = await admin.get('/records/chores', {}, zone === undefined ? {} : { 'time-zone': zone });
    return [...new Set(json.data.map((record: { day: string }) => record.day))];
  };
  expect([await days(), await days('UTC')]).toEqual([['2026-03-02'], ['2026-03-02']]);
  vi.setSystemTime(midnight);
  expect(await days()).toEqual(['2026-03-03']);
});

const get = async (path: string, query: object) => (await admin.get(path, { ...query })).json;

it.each<[string, () => Promise<unknown>, unknown, unknown]>([
  ['the total of a list', async () => (await get('/records/chores', { ...late, limit: 1 })).total, 1, 2],
  [
    'a list of what is due today',
    async () =>
      (await get('/records/chores', { filter_field: 'due', filter_operator: 'date_today' })).data.map(
        (record: { name: string }) => record.name,
      ),
    ['today'],
    ['tomorrow'],
  ],
  [
    'the counts of groups',
    async () => (await get('/records/chores', { group_by: 'late' })).counts,
    { false: 2, true: 1 },
    { false: 1, true: 2 },
  ],
  ['an aggregate', async () => (await get('/aggregate/chores', late)).value, 1, 2],
  [
    'an aggregate in groups',
    async () => (await get('/aggregate/chores', { group_by: 'late' })).results,
    [
      { group: false, value: 2 },
      { group: true, value: 1 },
    ],
    [
      { group: true, value: 2 },
      { group: false, value: 1 },
    ],
  ],
])('%s is another one from midnight on', async (_what, answer, before, after) => {
  expect([await answer(), await answer()]).toEqual([before, before]);
  vi.setSystemTime(midnight);
  expect([await answer(), await answer()]).toEqual([after, after]);
});
