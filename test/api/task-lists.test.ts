/** [spec: Tasks] Which tasks a list has, in which order, and how many there are of each kind. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf, mondayOf, startOfDay } from '../../src/fields/local-time.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, expectError } from './records.ts';
import { actionsOf, makeTask, readTask, tasks, titles } from './tasks.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  ({ admin } = organization);
});

const hour = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();
const day = (count: number, zone = 'UTC') => addDays(dayOf(Date.now(), zone), count) ?? '';
/** A moment of today that is over, and one that is to come. */
const earlier = (zone = 'UTC') => at((Date.now() + Date.parse(startOfDay(day(0, zone), zone))) / 2);
const later = (zone = 'UTC') => at((Date.now() + Date.parse(startOfDay(day(1, zone), zone))) / 2);

describe('mode', () => {
  it('TASK2-06 to 10, TASK3-01: today, overdue, upcoming, completed and all', async () => {
    await makeTask(admin, { title: 'yesterday', due_date: at(Date.now() - 48 * hour) });
    await makeTask(admin, { title: 'earlier today', due_date: earlier() });
    await makeTask(admin, { title: 'later today', due_date: later() });
    await makeTask(admin, { title: 'next week', due_date: at(Date.now() + 200 * hour) });
    await makeTask(admin, { title: 'sometime' });
    for (const due_date of [earlier(), later(), undefined])
      await admin.put(`/tasks/${await makeTask(admin, { title: 'done', due_date })}/complete`);
    const all = ['yesterday', 'earlier today', 'later today', 'next week'];
    expect(await titles(admin, { mode: 'today' })).toEqual(['earlier today', 'later today']);
    expect(await titles(admin, { mode: 'overdue' })).toEqual(['yesterday', 'earlier today']);
    expect(await titles(admin, { mode: 'upcoming' })).toEqual(['later today', 'next week']);
    expect(await titles(admin, { mode: 'completed' })).toEqual(['done', 'done', 'done']);
    expect((await titles(admin, { mode: 'all' })).filter((title) => title !== 'done')).toEqual([...all, 'sometime']);
    expect(await titles(admin)).toHaveLength(8);
  });

  it('what is due on a day is due all that day, and overdue from the next midnight', async () => {
    for (const count of [-1, 0, 1]) await makeTask(admin, { title: String(count), due_date: day(count) });
    expect(await tasks(admin)).toMatchObject([
      { due_date: `${day(-1)}T00:00:00.000Z`, due_all_day: true },
      { due_date: `${day(0)}T00:00:00.000Z` },
      { due_date: `${day(1)}T00:00:00.000Z` },
    ]);
    expect(await titles(admin, { mode: 'overdue' })).toEqual(['-1']);
    expect(await titles(admin, { mode: 'today' })).toEqual(['0']);
    expect(await titles(admin, { mode: 'upcoming' })).toEqual(['0', '1']);
  });

  it('days are those of the organization, or of the request', async () => {
    const zone = 'Pacific/Kiritimati'; // fourteen hours ahead
    const there = await kith.organization({ timezone: zone });
    const moments = {
      begin: startOfDay(day(0, zone), zone),
      end: at(Date.parse(startOfDay(day(1, zone), zone)) - 1),
      tomorrow: startOfDay(day(1, zone), zone),
    };
    for (const [title, due_date] of Object.entries(moments)) await makeTask(there.admin, { title, due_date });
    await makeTask(there.admin, { title: 'all day', due_date: day(0, zone) });
    const today = async (headers = {}) => (await titles(there.admin, { mode: 'today' }, headers)).toSorted();
    expect(await today()).toEqual(['all day', 'begin', 'end']);
    // Where it is always an earlier day: what is due at a moment is due on the day of that moment there, and a day stays that day.
    const west = 'Pacific/Pago_Pago';
    await makeTask(there.admin, { title: 'west', due_date: day(0, west) });
    const momentsOfToday = Object.entries(moments).filter(([, moment]) => dayOf(moment, west) === day(0, west));
    expect(await today({ 'time-zone': west })).toEqual([...momentsOfToday.map(([title]) => title), 'west'].toSorted());
    expect(await today()).toEqual(['all day', 'begin', 'end']);
  });

  it('filters by day take what is due on a day as the modes do, in every zone', async () => {
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    const there = await kith.organization({ timezone: east });
    const today = day(0, west);
    await makeTask(there.admin, { title: 'day', due_date: today });
    await makeTask(there.admin, { title: 'moment', due_date: startOfDay(today, west) });
    const found = async (operator: string, value?: string) => {
      const filters = { type: 'AND', conditions: [{ field: 'due_date', operator, ...(value && { value }) }] };
      return (await titles(there.admin, { filters }, { 'time-zone': west })).toSorted();
    };
    const both = ['day', 'moment'];
    expect((await titles(there.admin, { mode: 'today' }, { 'time-zone': west })).toSorted()).toEqual(both);
    for (const operator of ['date_today', 'date_this_week', 'date_this_month'])
      expect(await found(operator)).toEqual(both);
    const [before, after] = [day(-1, west), day(1, west)];
    expect(await found('date_equals', today)).toEqual(both);
    expect(await found('date_between', `${today},${today}`)).toEqual(both);
    expect(await found('date_after', before)).toEqual(both);
    expect(await found('date_before', after)).toEqual(both);
    for (const [operator, value] of Object.entries({ date_equals: before, date_after: today, date_before: today }))
      expect(await found(operator, value)).toEqual([]);
  });

  it('what is due on a day is due on the same day in another time zone of the organization', async () => {
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    const there = await kith.organization({ timezone: east });
    const today = day(0, west);
    const moment = startOfDay(today, west);
    const id = await makeTask(there.admin, { title: 'day', due_date: today });
    await makeTask(there.admin, { title: 'moment', due_date: moment });
    const before = await readTask(there.admin, id);
    expect(before.due_date).toBe(at(Date.parse(startOfDay(today, east))));
    expect((await there.admin.put('/workspace', { timezone: west })).status).toBe(200);
    expect((await titles(there.admin, { mode: 'today' })).toSorted()).toEqual(['day', 'moment']);
    expect(await titles(there.admin, { mode: 'overdue' })).toEqual(['moment']);
    expect(await readTask(there.admin, id)).toEqual({ ...before, due_date: at(Date.parse(moment)) });
    expect(await actionsOf(kith, there, id)).toEqual(['create']);
    // A manifest says it as well.
    await apply(there.admin, { organization: { timezone: east } });
    expect(await readTask(there.admin, id)).toEqual(before);
  });

  it('what was due on a day is due on that day again when its change is undone in another time zone', async () => {
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    const there = await kith.organization({ timezone: east });
    const [first, second] = [day(1, west), day(2, west)];
    const moment = at(Date.parse(startOfDay(first, east)));
    /** With the change set of the last change. */
    const dueAfter = async (...changes: readonly (string | null)[]) => {
      const [due_date, ...later] = changes;
      const id = await makeTask(there.admin, { title: 'x', due_date });
      let change_set: string | null = null;
      for (const due of later)
        change_set = (await there.admin.put(`/tasks/${id}`, { due_date: due })).headers.get('change-set');
      return { id, change_set };
    };
    const noon = at(Date.parse(moment) + 12 * hour);
    const wasDay = [await dueAfter(first, second), await dueAfter(first, noon), await dueAfter(first, null)];
    const wasMoment = [await dueAfter(moment, second), await dueAfter(moment, noon), await dueAfter(moment, null)];
    const changedTwice = [await dueAfter(first, second, noon), await dueAfter(moment, second, first)];
    await apply(there.admin, { organization: { timezone: west } });
    const undone = async ({ id, change_set }: { id: string; change_set: string | null }) => {
      expect((await there.admin.post('/undo', { change_set })).json).toMatchObject({ undone: 1 });
      const { due_date, due_all_day } = await readTask(there.admin, id);
      return { due_date, due_all_day };
    };
    const dueOn = (due: string) => ({ due_date: at(Date.parse(startOfDay(due, west))), due_all_day: true });
    for (const task of wasDay) expect(await undone(task)).toEqual(dueOn(first));
    for (const task of wasMoment) expect(await undone(task)).toEqual({ due_date: moment, due_all_day: false });
    for (const task of changedTwice) expect(await undone(task)).toEqual(dueOn(second));
  });

  it('TASK2-06: an unknown mode is refused with those that there are', async () => {
    const reply = await admin.get('/tasks', { mode: 'tomorrow' });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.available_values).toEqual(['all', 'today', 'overdue', 'upcoming', 'completed']);
  });
});

describe('what a list is asked for', () => {
  it('TASK3-01: assignee, priority and action', async () => {
    const member = await organization.user('Member');
    await makeTask(admin, { title: 'a', assigned_to_id: member.workspaceUserId, priority: 'low' });
    await makeTask(admin, { title: 'b', priority: 'urgent', action_type: 'call' });
    expect(await titles(admin, { assigned_to: member.workspaceUserId })).toEqual(['a']);
    expect(await titles(admin, { priority: 'urgent' })).toEqual(['b']);
    expect(await titles(admin, { action_type: 'call' })).toEqual(['b']);
    expect(await titles(admin, { action_type: 'call', priority: 'low' })).toEqual([]);
  });

  it.each([
    ['priority', 'high', ['low', 'medium', 'urgent']],
    ['action_type', 'fax', ['call', 'email', 'meeting', 'linkedin_message', 'whatsapp_message']],
    ['linked_entity_type', 'projects', ['contacts', 'companies', 'opportunities']],
  ])('refuses an unknown %s with those that there are', async (name, value, values) => {
    const reply = await admin.get('/tasks', { [name]: value });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.available_values).toEqual(values);
  });

  it('refuses what is no user, and parameters that there are not', async () => {
    expectError(await admin.get('/tasks', { assigned_to: 'Ada' }), 'VALIDATION_ERROR');
    const reply = await admin.get('/tasks', { assigned_to_id: 'x' });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('assigned_to');
  });

  it('TASK3-01: the record that they are linked to', async () => {
    const contact = await create(admin, 'contacts', {});
    const company = await create(admin, 'companies', { name: 'Globex' });
    await makeTask(admin, { title: 'contact', linked_entities: [{ id: contact.id, type: 'contacts' }] });
    await makeTask(admin, { title: 'company', linked_entities: [{ id: company.id, type: 'companies' }] });
    await makeTask(admin, { title: 'none' });
    expect(await titles(admin, { linked_entity_id: contact.id, linked_entity_type: 'contacts' })).toEqual(['contact']);
    expect(await titles(admin, { linked_entity_id: contact.id, linked_entity_type: 'companies' })).toEqual([]);
    expect(await titles(admin, { linked_entity_id: company.id })).toEqual(['company']);
    expect(await titles(admin, { linked_entity_type: 'companies' })).toEqual(['company']);
  });

  it('TASK3-01: filters, and an order', async () => {
    for (const [title, priority] of [
      ['a', 'low'],
      ['b', 'urgent'],
      ['c', 'low'],
    ])
      await makeTask(admin, { title, priority });
    const filters = { type: 'AND', conditions: [{ field: 'priority', operator: 'equals', value: 'low' }] };
    expect(await titles(admin, { filters, sort_by: 'title', sort_dir: 'desc' })).toEqual(['c', 'a']);
    const sort = [
      { field: 'priority', direction: 'desc' },
      { field: 'title', direction: 'desc' },
    ];
    expect(await titles(admin, { sort, sort_by: 'title' })).toEqual(['b', 'c', 'a']);
  });

  it('TASK3-01: by due_date ascending unless told, what has none last', async () => {
    await makeTask(admin, { title: 'none' });
    await makeTask(admin, { title: 'late', due_date: day(2) });
    await makeTask(admin, { title: 'soon', due_date: day(1) });
    expect(await titles(admin)).toEqual(['soon', 'late', 'none']);
    expect(await titles(admin, { sort_dir: 'desc' })).toEqual(['late', 'soon', 'none']);
  });

  it('PSL-03: pages of 20 unless told, 100 at most; a cursor goes on in the same mode alone', async () => {
    for (let count = 0; count < 23; count++)
      await makeTask(admin, { title: `t${count}`, due_date: at(Date.now() - (count + 30) * hour) });
    const first = await admin.get('/tasks', { mode: 'overdue' });
    expect([first.json.data.length, first.json.total]).toEqual([20, 23]);
    const { nextCursor: cursor } = first.json;
    const second = await admin.get('/tasks', { mode: 'overdue', cursor });
    expect([second.json.data.length, second.json.nextCursor]).toEqual([3, undefined]);
    const seen = [...first.json.data, ...second.json.data].map(({ title }: { title: string }) => title);
    expect(new Set(seen).size).toBe(23);
    expectError(await admin.get('/tasks', { mode: 'upcoming', cursor }), 'VALIDATION_ERROR');
    expectError(await admin.get('/tasks', { cursor }), 'VALIDATION_ERROR');
    const clamped = await admin.get('/tasks', { limit: 500 });
    expect(clamped.headers.get('warning')).toContain('100');
  });
});

describe('GET /tasks/stats', () => {
  const stats = async (client: Client, query = {}, headers = {}) =>
    (await client.get('/tasks/stats', query, headers)).json;
  const complete = async (client: Client, values: object) =>
    client.put(`/tasks/${await makeTask(client, values)}/complete`);

  it('TASK3-07 to 13: counts by the definitions', async () => {
    expect(await stats(admin)).toEqual({
      total: 0,
      completedToday: 0,
      remainingToday: 0,
      overdue: 0,
      thisWeek: 0,
      completionRate: 0,
    });
    const today = day(0);
    await complete(admin, { title: 'done today' });
    const old = await makeTask(admin, { title: 'done before' });
    await admin.put(`/tasks/${old}/complete`);
    const table = identifier(organization.schema, '_tasks');
    await kith.database.database.run(
      'test',
      statement(
        sql`update ${table} set completed_at = ${at(Date.now() - 48 * hour)}::timestamptz where id = ${old}::uuid`,
      ),
    );
    await complete(admin, { title: 'done, due today', due_date: later() });
    await makeTask(admin, { title: 'today', due_date: later() });
    await makeTask(admin, { title: 'all day', due_date: today });
    await makeTask(admin, { title: 'overdue', due_date: day(-30) });
    await makeTask(admin, { title: 'sunday', due_date: addDays(mondayOf(today), 6) });
    await makeTask(admin, { title: 'next monday', due_date: addDays(mondayOf(today), 7) });
    const sunday = addDays(mondayOf(today), 6) === today;
    expect(await stats(admin)).toEqual({
      total: 8,
      completedToday: 2,
      remainingToday: sunday ? 3 : 2,
      overdue: 1,
      thisWeek: 3,
      completionRate: 38,
    });
  });

  it('TASK3-07: user_id restricts every count to that assignee', async () => {
    const member = await organization.user('Member');
    await complete(admin, { title: 'a', assigned_to_id: member.workspaceUserId });
    await makeTask(admin, { title: 'b', due_date: day(-3) });
    expect(await stats(admin, { user_id: member.workspaceUserId })).toMatchObject({
      total: 1,
      completedToday: 1,
      overdue: 0,
      completionRate: 100,
    });
    expectError(await admin.get('/tasks/stats', { user_id: 'me' }), 'VALIDATION_ERROR');
  });

  it('counts by the days of the request', async () => {
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    // A whole day: the two have never the same.
    await makeTask(admin, { title: 'x', due_date: day(0, east) });
    expect(await stats(admin, {}, { 'time-zone': east })).toMatchObject({ remainingToday: 1 });
    expect(await stats(admin, {}, { 'time-zone': west })).toMatchObject({ remainingToday: 0, overdue: 0 });
  });
});
