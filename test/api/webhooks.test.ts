/** [decisions: Webhooks] What is sent to a receiver: signed, in order, again until it is taken. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { updateUser } from '../../src/provision/users.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { aDayLater, deliveries, receiver, until, verify, webhook, type Receiver } from './receiver.ts';
import { apply, create } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let receiving: Receiver;

beforeAll(async () => {
  kith = await startKith({ KITH_JOBS: 'on', KITH_PRIVATE_HOSTS: '127.0.0.1' });
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  receiving = await receiver();
});
afterEach(() => receiving.close());

const rows = async (query: Sql) => (await kith.database.database.run(organization.id, statement(query))).rows;
const company = (name: string) => create(organization.admin, 'companies', { name });
const rename = (id: string, name: string) => organization.admin.put(`/records/companies/${id}`, { name });

it('tells what happens as the feed tells it, signed so that the library of Standard Webhooks takes it', async () => {
  const { id, secret } = await webhook(organization.admin, receiving.url);
  const { id: recordId } = await company('Acme');
  await rename(recordId, 'Acme Inc');
  await organization.admin.delete(`/records/companies/${recordId}`);
  await until(() => receiving.typesOf(recordId).at(-1), 'record.deleted');
  for (const one of receiving.received) verify(secret, one);
  expect(() => verify(secret, { ...receiving.received[0]!, text: '{}' })).toThrow();
  expect(new Set(receiving.received.map(({ event }) => event.id))).toEqual(
    new Set(receiving.received.map((one) => one.id)),
  );
  const { json } = await organization.admin.get('/events', { object: 'companies' });
  const told = new Map(json.events.map((event: { id: string }) => [event.id, event]));
  const last = receiving.received.at(-1)!;
  expect(last.event).toEqual(told.get(last.id));
  expect((await organization.admin.get(`/webhooks/${id}`)).json).toMatchObject({
    state: 'active',
    pending: 0,
    last_error: null,
    last_success_at: expect.any(String),
  });
});

describe('a receiver that does not take it', () => {
  it('gets it again, under the same id, until it does; others of its records go on meanwhile, in their order', async () => {
    const { id } = await webhook(organization.admin, receiving.url);
    const [bad, good] = [await company('Bad'), await company('Good')];
    await until(() => receiving.taken.length, 2);
    receiving.answer(({ event }) => (event.record_id === bad.id ? 500 : 200));
    await rename(bad.id, 'Bad 1');
    await until(() => receiving.received.length, 3);
    for (const name of ['1', '2', '3']) {
      await rename(bad.id, `Bad ${name}`);
      await rename(good.id, `Good ${name}`);
    }
    await until(() => receiving.typesOf(good.id).length, 4);
    expect(receiving.typesOf(bad.id)).toEqual(['record.created']);
    const first = receiving.received[2]!;
    const later = receiving.received.slice(2);
    expect(later.every((one) => one.event.record_id === good.id || one.id === first.id)).toBe(true);
    receiving.answer(() => 200);
    await aDayLater(kith, organization);
    await until(() => receiving.typesOf(bad.id).length, 4);
    const again = receiving.received.filter((one) => one.id === first.id);
    expect(again.length).toBeGreaterThan(1);
    // What it tells is the state by then.
    expect(again.at(-1)?.event.record.name).toBe('Bad 3');
    const states = async () => (await deliveries(organization.admin, id)).map((one) => one.state);
    await until(
      states,
      Array.from({ length: 8 }, () => 'delivered'),
    );
    const told = await deliveries(organization.admin, id);
    const inOrder = told.filter((one) => one.record_id === bad.id).map((one) => one.event_id);
    const taken = receiving.taken.filter(({ event }) => event.record_id === bad.id).map((one) => one.id);
    expect(taken).toEqual(inOrder);
  });

  it('loses nothing while it is down, and gets what happened to a record in its order', async () => {
    const { id } = await webhook(organization.admin, receiving.url);
    receiving.answer((_one, response) => void response.socket?.destroy());
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      ids.push((await company(name)).id);
      await rename(ids.at(-1)!, `${name} again`);
    }
    await until(() => receiving.received.length >= 3);
    const error = async () => (await organization.admin.get(`/webhooks/${id}`)).json.last_error;
    await until(error, expect.stringMatching(/did not answer as a server/));
    receiving.answer(() => 200);
    await aDayLater(kith, organization);
    await until(
      () => ids.map((one) => receiving.typesOf(one)),
      ids.map(() => ['record.created', 'record.updated']),
    );
    expect(receiving.taken).toHaveLength(12);
  });

  const failing: [what: string, status: number, error: RegExp][] = [
    ['an error', 503, /^The receiver answered with status 503$/],
    ['a redirect, which is not followed', 307, /redirect \(307\), which is not followed/],
    ['no change', 304, /redirect \(304\)/],
  ];
  it.each(failing)('says why: %s', async (_what, status, error) => {
    const { id } = await webhook(organization.admin, receiving.url);
    receiving.answer((_one, response) => {
      response.writeHead(status, { location: `${receiving.url}/elsewhere` }).end();
    });
    await company('Acme');
    await until(async () => (await deliveries(organization.admin, id))[0]?.status, status);
    const [delivery] = await deliveries(organization.admin, id);
    expect(delivery).toMatchObject({ state: 'pending', attempts: 1, error: expect.stringMatching(error) });
    expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)).toBeGreaterThan(3_000);
    expect((await organization.admin.get(`/webhooks/${id}`)).json.last_error).toMatch(error);
    expect(receiving.received.every(({ headers }) => headers.host !== undefined)).toBe(true);
    expect(receiving.received).toHaveLength(1);
  });

  it('is let alone for as long as it asks, within bounds', async () => {
    const { id } = await webhook(organization.admin, receiving.url);
    receiving.answer((_one, response) => void response.writeHead(429, { 'retry-after': '600' }).end());
    await company('Acme');
    const pause = async () => {
      const [one] = await deliveries(organization.admin, id);
      return one && Date.parse(one.next_attempt_at) - Date.parse(one.last_attempt_at);
    };
    await until(pause, 600_000);
    receiving.answer((_one, response) => void response.writeHead(503, { 'retry-after': '999999' }).end());
    await aDayLater(kith, organization);
    await until(pause, 3_600_000);
    expect(receiving.received).toHaveLength(2);
  });

  it('is sent nothing more when it says that it is gone, and goes on where it was when it is enabled', async () => {
    const { id } = await webhook(organization.admin, receiving.url);
    receiving.answer(() => 410);
    const acme = await company('Acme');
    await until(async () => (await organization.admin.get(`/webhooks/${id}`)).json.state, 'disabled');
    expect((await organization.admin.get(`/webhooks/${id}`)).json.reason).toMatch(/gone \(410\)/);
    await rename(acme.id, 'Acme Inc');
    receiving.answer(() => 200);
    await organization.admin.put(`/webhooks/${id}`, { state: 'active' });
    await until(() => receiving.typesOf(acme.id), ['record.created', 'record.updated']);
  });

  it('is given up for one event after the last attempt, which can be had again', async () => {
    const { id } = await webhook(organization.admin, receiving.url);
    const acme = await company('Acme');
    const other = await company('Other');
    await until(() => receiving.taken.length, 2);
    receiving.answer(({ event }) => (event.record_id === acme.id ? 500 : 200));
    await rename(acme.id, 'Acme 1');
    await rename(acme.id, 'Acme 2');
    const first = async () => (await deliveries(organization.admin, id))[2];
    for (let attempt = 1; attempt <= 11; attempt++) {
      await until(async () => (await first())?.attempts, attempt);
      if (attempt < 11) await aDayLater(kith, organization);
    }
    expect(await first()).toMatchObject({ state: 'failed', status: 500, next_attempt_at: null });
    receiving.answer(() => 200);
    await aDayLater(kith, organization);
    await until(async () => (await deliveries(organization.admin, id))[3]?.state, 'delivered');
    expect(receiving.typesOf(acme.id)).toEqual(['record.created', 'record.updated']);
    const failed = await first();
    const { json } = await organization.admin.post(`/webhooks/${id}/replay`, { delivery_ids: [failed.id] });
    expect(json).toEqual({ replayed: 1, has_more: false });
    await until(async () => (await first())?.state, 'delivered');
    expect(receiving.taken.at(-1)?.id).toBe(failed.event_id);
    const { json: since } = await organization.admin.post(`/webhooks/${id}/replay`, { since: '2020-01-01' });
    expect(since.replayed).toBeGreaterThan(2);
    await until(() => receiving.typesOf(other.id), ['record.created', 'record.created']);
  });

  it('is disabled when it has taken nothing for five days', async () => {
    const { id } = await webhook(organization.admin, receiving.url);
    receiving.answer(() => 500);
    await company('Acme');
    await until(() => receiving.received.length, 1);
    const table = identifier(organization.schema, '_webhooks');
    await until(async () => (await deliveries(organization.admin, id))[0]?.attempts, 1);
    await rows(sql`update ${table} set failing_since = now() - interval '5 days 1 minute'`);
    await aDayLater(kith, organization);
    await until(async () => (await organization.admin.get(`/webhooks/${id}`)).json.state, 'disabled');
    expect((await organization.admin.get(`/webhooks/${id}`)).json).toMatchObject({
      reason: 'Nothing was taken for 5 days',
      pending: 1,
    });
  });
});

it('holds up nobody else while a receiver hangs, or answers without an end', async () => {
  const hanging = await receiver();
  hanging.answer(() => undefined);
  const endless = await receiver();
  endless.answer((_one, response) => {
    response.writeHead(200);
    const flood = () => response.write('x'.repeat(65_536), (error) => error ?? flood());
    flood();
  });
  const other = await kith.organization();
  const elsewhere = await receiver();
  try {
    for (let count = 0; count < 5; count++) await webhook(organization.admin, hanging.url);
    await webhook(organization.admin, endless.url);
    await webhook(organization.admin, receiving.url);
    await webhook(other.admin, elsewhere.url);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await company(name);
    await until(() => hanging.received.length >= 20);
    await company('f');
    await create(other.admin, 'companies', { name: 'Theirs' });
    await until(() => [receiving.taken.length, elsewhere.taken.length], [6, 1]);
    await until(() => endless.received.length, 6);
    expect(hanging.taken).toEqual([]);
    // Jobs of other kinds find room.
    const { json } = await organization.admin.get('/webhooks');
    expect(json.total).toBe(7);
  } finally {
    await hanging.close();
    await endless.close();
    await elsewhere.close();
  }
});

describe('what its creator may see', () => {
  it('is all that is told: less when the creator becomes somebody who sees less', async () => {
    const admin = await organization.user('Admin');
    const { id } = await webhook(admin, receiving.url);
    await company('Before');
    await until(() => receiving.taken.length, 1);
    await apply(organization.admin, {
      roles: [
        {
          name: 'Sales',
          permissions: { companies: { view: 'all', fields: { domain: 'none' } }, contacts: { view: 'none' } },
        },
      ],
    });
    const users = identifier(organization.schema, '_users');
    const [[email = null] = []] = await rows(sql`select email from ${users} where id = ${admin.workspaceUserId}::uuid`);
    await updateUser(kith.deps, organization.id, String(email), { role: 'Sales' });
    await create(organization.admin, 'contacts', { first_name: 'Hidden' });
    await company('After');
    await until(() => receiving.taken.map(({ event }) => event.record?.name).filter(Boolean), ['Before', 'After']);
    const [before, after] = receiving.taken.flatMap(({ event }) => event.record ?? []);
    expect(['domain' in before, 'domain' in after]).toEqual([true, false]);
    expect(receiving.received.map(({ text }) => text).join()).not.toContain('Hidden');
    expect(receiving.taken.map(({ event }) => event.type)).toContain('reset');
    await updateUser(kith.deps, organization.id, String(email), { active: false });
    await company('Later');
    await until(async () => (await organization.admin.get(`/webhooks/${id}`)).json.state, 'disabled');
    expect((await organization.admin.get(`/webhooks/${id}`)).json.reason).toMatch(/not active any more/);
    expect(receiving.received.map(({ text }) => text).join()).not.toContain('Later');
  });

  it('has no private notes of others', async () => {
    const other = await organization.user('Admin');
    await webhook(organization.admin, receiving.url);
    const made = await other.post('/notes', { content: 'A secret' });
    expect(made.status, made.text).toBe(201);
    const changed = await other.put(`/notes/${made.json.note_id}`, { content: 'Another secret' });
    expect(changed.status, changed.text).toBe(200);
    await company('Seen');
    await until(() => receiving.taken.at(-1)?.event.record?.name, 'Seen');
    expect(receiving.received.map(({ event }) => event.object_name)).toEqual(['companies']);
  });
});

it('tells only of the events and objects that are wanted', async () => {
  const { id } = await webhook(organization.admin, receiving.url, {
    events: ['record.updated'],
    objects: ['companies'],
  });
  const acme = await company('Acme');
  await create(organization.admin, 'contacts', { first_name: 'Anna' });
  await rename(acme.id, 'Acme Inc');
  await until(() => receiving.taken.map(({ event }) => event.type), ['record.updated']);
  await organization.admin.put(`/webhooks/${id}`, { objects: ['contacts'], events: [] });
  await company('Not told');
  await create(organization.admin, 'contacts', { first_name: 'Ben' });
  await until(() => receiving.taken.at(-1)?.event.record?.first_name, 'Ben');
  expect(receiving.taken).toHaveLength(2);
});

it('signs with both secrets for a day after a new one was given', async () => {
  const { id, secret } = await webhook(organization.admin, receiving.url);
  const { json } = await organization.admin.post(`/webhooks/${id}/rotate-secret`, {});
  await company('Acme');
  await until(() => receiving.taken.length, 1);
  verify(secret, receiving.taken[0]!);
  verify(json.secret, receiving.taken[0]!);
  await rows(sql`update ${identifier(organization.schema, '_webhooks')} set old_secret_until = now()`);
  await company('Globex');
  await until(() => receiving.taken.length, 2);
  verify(json.secret, receiving.taken[1]!);
  expect(() => verify(secret, receiving.taken[1]!)).toThrow();
});

it('is tried out by an event of its own, which tells what came back', async () => {
  const { id, secret } = await webhook(organization.admin, receiving.url);
  const good = await organization.admin.post(`/webhooks/${id}/test`, {});
  expect(good.json).toEqual({ delivered: true, status: 204, error: null, event_id: receiving.taken[0]!.id });
  verify(secret, receiving.taken[0]!);
  expect(receiving.taken[0]!.event).toMatchObject({ id: good.json.event_id, type: 'webhook.test', webhook_id: id });
  receiving.answer(() => 404);
  const bad = await organization.admin.post(`/webhooks/${id}/test`, {});
  expect(bad.json).toMatchObject({ delivered: false, status: 404, error: 'The receiver answered with status 404' });
  expect((await organization.admin.post(`/webhooks/${id}/test?dry_run=true`, {})).json.code).toBe('VALIDATION_ERROR');
});
