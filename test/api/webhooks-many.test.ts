/** [decisions: Webhooks] Many events to one receiver: some records side by side, each in its order, whatever fails. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { randomFrom } from '../query/random.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { aDayLater, deliveries, receiver, until, webhook, type Received, type Receiver } from './receiver.ts';
import { create } from './records.ts';

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

/** So many companies, each renamed so often, all at the same time. */
async function write(count: number, renamings: number): Promise<string[]> {
  const { admin } = organization;
  const companies = Array.from({ length: count }, async (_, at) => {
    const { id } = await create(admin, 'companies', { name: `${at}` });
    for (let time = 1; time <= renamings; time++)
      await admin.put(`/records/companies/${id}`, { name: `${at}.${time}` });
    return id;
  });
  return Promise.all(companies);
}

it('goes to eight records side by side, and to no more', async () => {
  await webhook(organization.admin, receiving.url, { objects: ['companies'] });
  const held: (readonly [Received, ServerResponse])[] = [];
  const taken: Received[] = [];
  let busy = 0;
  let mostBusy = 0;
  let isHeld = true;
  const take = (one: Received, response: ServerResponse) => {
    busy--;
    taken.push(one);
    response.writeHead(204).end();
  };
  receiving.answer((one, response) => {
    mostBusy = Math.max(mostBusy, ++busy);
    if (isHeld) held.push([one, response]);
    else setImmediate(take, one, response);
  });
  const ids = await write(12, 1);
  await until(() => held.length, 8);
  expect(new Set(held.map(([{ event }]) => event.record_id)).size).toBe(8);
  expect(held.every(([{ event }]) => event.type === 'record.created')).toBe(true);
  isHeld = false;
  for (const [one, response] of held) take(one, response);
  const typesOf = (id: string) => taken.flatMap(({ event }) => (event.record_id === id ? [event.type] : []));
  await until(
    () => ids.map(typesOf),
    ids.map(() => ['record.created', 'record.updated']),
  );
  expect(mostBusy).toBe(8);
});

it('keeps the order of each record while any of them fail, and loses and repeats nothing', async () => {
  const { admin } = organization;
  const random = randomFrom(Number(process.env['KITH_SEED'] ?? 5));
  const { id } = await webhook(admin, receiving.url, { objects: ['companies'] });
  const taken: Received[] = [];
  receiving.answer((one, response) => {
    const [luck, after] = [random.fraction(), random.below(4)];
    setTimeout(() => {
      if (luck < 0.1) return response.socket?.destroy();
      if (luck >= 0.25) taken.push(one);
      return response.writeHead(luck < 0.25 ? 500 : 204).end();
    }, after);
  });
  const ids = await write(12, 4);
  await until(async () => {
    await aDayLater(kith, organization);
    return taken.length >= 60 && (await admin.get(`/webhooks/${id}`)).json.pending === 0;
  });
  const planned = await deliveries(admin, id);
  expect(planned.map(({ state }) => state)).toEqual(Array.from({ length: 60 }, () => 'delivered'));
  for (const record of ids) {
    const inOrder = planned.flatMap((one) => (one.record_id === record ? [one.event_id] : []));
    const of = (all: readonly Received[]) => all.flatMap((one) => (one.event.record_id === record ? [one.id] : []));
    expect(of(taken)).toEqual(inOrder);
    // Also what failed was sent again before anything else of its record.
    expect(of(receiving.received).filter((one, at, all) => one !== all[at - 1])).toEqual(inOrder);
  }
  expect(receiving.received.length).toBeGreaterThan(60);
});

it('is told of no other rights where its objects are changed while it reads history', async () => {
  const { admin, schema } = organization;
  const { id } = await webhook(admin, receiving.url, { objects: ['contacts'] });
  const table = identifier(schema, '_webhooks');
  const [[objects = null, sight = null] = []] = await rows(sql`select object_ids::text, sight from ${table}`);
  await admin.put(`/webhooks/${id}`, { objects: ['companies'] });
  await create(admin, 'companies', { name: 'First' });
  await until(async () => (await deliveries(admin, id)).map(({ state }) => state), ['delivered']);
  await kith.database.database.transaction('test', async (tx) => {
    await tx.run(statement(sql`select from ${table} for update`));
    await create(admin, 'companies', { name: 'Not wanted' });
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and position(${`"${schema}"`} in query) > 0`;
    await until(async () => (await rows(waiting)).length > 0);
    // What a change of its objects does.
    await tx.run(statement(sql`update ${table} set object_ids = ${objects}::uuid[], sight = ${sight}`));
  });
  await create(admin, 'contacts', { first_name: 'Wanted' });
  await until(() => receiving.taken.at(-1)?.event.record?.first_name, 'Wanted');
  expect(receiving.taken.map(({ event }) => event.type)).toEqual(['record.created', 'record.created']);
});
