/** [issue: Following] A receiver that is down loses nothing; a killed service repeats no delivery without its id, and forgets none. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { receiver, until, type Receiver } from '../api/receiver.ts';
import { ask, serve, type ServiceProcess } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';

let stage: FaultStage;
let receiving: Receiver;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  stage = await faultStage();
});
afterAll(() => stage.drop());
beforeEach(async () => {
  receiving = await receiver();
});
afterEach(async () => {
  service?.kill('SIGKILL');
  await service?.outcome;
  await receiving.close();
});

const begin = () => serve({ ...stage.env, KITH_JOBS: 'on', KITH_PRIVATE_HOSTS: '127.0.0.1' });
const send = (method: string, path: string, body?: object) =>
  ask(service!.url, stage.token, method, `/api/v1${path}`, body);

async function kill(): Promise<void> {
  service?.kill('SIGKILL');
  await service?.outcome;
  await stage.untilAlone();
  // As if thirty seconds had passed: what the killed one held is free.
  await stage.storage.rows(sql`update ${stage.storage.table('_jobs')} set leased_until = now()
    where leased_until is not null`);
  await stage.storage.rows(sql`update kith.due set run_at = now()`);
}

it('a killed service repeats no delivery without its id, and forgets none', { timeout: 240_000 }, async () => {
  service = await begin();
  const { json } = (await send('POST', '/webhooks', { url: receiving.url, objects: ['contacts'] }))!;
  const written: string[] = [];
  const write = async () => {
    const reply = await send('POST', '/records/contacts', {});
    if (reply?.status === 200) written.push(String(reply.json['id']));
  };
  // Killed before it could note what it has sent.
  receiving.answer(() => undefined);
  await write();
  await until(() => receiving.received.length, 1);
  await kill();
  receiving.answer(() => 200);
  service = await begin();
  await until(() => receiving.taken.length, 1);
  const [first, second] = receiving.received;
  expect([second?.id, second?.event.record_id]).toEqual([first?.id, written[0]]);
  // Killed in the middle of writes and deliveries.
  for (const more of [3, 20]) {
    const before = receiving.received.length;
    // No more than is told in the time that the test waits: writes are faster than deliveries.
    const enough = written.length + 60;
    const writing = (async () => {
      while (service?.running() && written.length < enough) await Promise.all([write(), write(), write()]);
    })();
    await until(() => receiving.received.length >= before + more);
    await kill();
    await writing;
    service = await begin();
  }
  const stored = await stage.storage.rows(sql`select id from ${stage.storage.table('contacts')}`);
  const told = () => new Set(receiving.taken.map(({ event }) => event.record_id));
  await until(() => stored.every(([id]) => told().has(id)));
  expect(written.filter((id) => !told().has(id))).toEqual([]);
  expect(stored.length).toBeGreaterThan(10);
  // One id a record, however often it came.
  const ids = new Map(receiving.received.map((one) => [one.event.record_id, one.id]));
  for (const one of receiving.received) expect(ids.get(one.event.record_id)).toBe(one.id);
  await until(async () => (await send('GET', `/webhooks/${String(json['id'])}`))?.json['pending'], 0);
});
