/** [spec: FilterGroup and FilterCondition] Where a day begins: the organization's time zone, or the request's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { createAll, expectError } from './records.ts';

type Values = Reply['json'];

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
});
afterAll(() => kith.stop());

describe('days', () => {
  it('a day of a DATETIME begins in the time zone of the organization, or of the Time-Zone header', async () => {
    const berlin = await kith.organization({ timezone: 'Europe/Berlin' });
    const [early, late] = await createAll(berlin.admin, 'companies', [{ name: 'early' }, { name: 'late' }]);
    const moments: [string, string][] = [
      [early.id, '2026-01-31 22:59:59.999999+00'],
      [late.id, '2026-01-31 23:00:00+00'],
    ];
    for (const [id, at] of moments) {
      await kith.database.database.run(berlin.id, {
        text: `update "${berlin.schema}".companies set created_at = $1::timestamptz where id = $2::uuid`,
        values: [at, id],
      });
    }
    const names = async (operator: string, value: string, zone?: string) => {
      const query = {
        filter_field: 'created_at',
        filter_operator: operator,
        filter_value: value,
        sort_by: 'created_at',
        sort_dir: 'asc',
      };
      const reply = await berlin.admin.get(
        '/records/companies',
        query,
        zone === undefined ? {} : { 'time-zone': zone },
      );
      return reply.json.data.map((record: Values) => record.name);
    };
    expect(await names('date_equals', '2026-01-31')).toEqual(['early']);
    expect(await names('date_equals', '2026-02-01')).toEqual(['late']);
    expect(await names('date_equals', '2026-01-31', 'UTC')).toEqual(['early', 'late']);
    expect(await names('date_equals', '2026-02-01', 'Asia/Tokyo')).toEqual(['early', 'late']);
    expect(await names('date_after', '2026-01-31')).toEqual(['late']);
    expect(await names('date_before', '2026-02-01')).toEqual(['early']);
    expect(await names('date_between', '2026-01-30,2026-01-31')).toEqual(['early']);
    expect(await names('greater_equal', '2026-01-31T23:00:00Z')).toEqual(['late']);
    expect(await names('greater_equal', '2026-02-01T00:00:00+01:00')).toEqual(['late']);
  });

  it('date_today, date_this_week and date_this_month are those of the time zone', async () => {
    const zone = 'Pacific/Kiritimati';
    const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();
    const add = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
    const { admin } = await kith.organization();
    const start = today();
    const days = Array.from({ length: 90 }, (_, at) => add(start, at - 45));
    await createAll(
      admin,
      'contacts',
      days.map((birthday) => ({ birthday })),
    );
    const found = async (operator: string) => {
      const query = {
        filter_field: 'birthday',
        filter_operator: operator,
        sort_by: 'birthday',
        sort_dir: 'asc',
        limit: 100,
      };
      const reply = await admin.get('/records/contacts', query, { 'time-zone': zone });
      return reply.json.data.map((record: Values) => record.birthday);
    };
    let day: string;
    let answers: string[][];
    do {
      day = today();
      answers = [await found('date_today'), await found('date_this_week'), await found('date_this_month')];
    } while (day !== today()); // midnight came between
    const monday = add(day, -((new Date(day).getUTCDay() + 6) % 7));
    const week = days.filter((other) => other >= monday && other < add(monday, 7));
    expect(week).toHaveLength(7);
    expect(answers).toEqual([[day], week, days.filter((other) => other.startsWith(day.slice(0, 7)))]);
  });

  it.each(['Nowhere/Land', '+02:00', 'Europe/Berlin; drop', ''])('Time-Zone %j is VALIDATION_ERROR', async (zone) => {
    expectError(await admin.get('/records/contacts', {}, { 'time-zone': zone }), 'VALIDATION_ERROR');
  });
});
