/** What one organization does for long leaves connections to the others. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { statementLimits, type Database } from '../../src/postgres/database.ts';
import { openSession, type Session } from '../../src/postgres/session.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { createTurns } from '../../src/postgres/turns.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';

const others = Array.from({ length: 12 }, (_, index) => `organization ${index}`);
const slow = statement(sql`select 'done' from pg_advisory_xact_lock_shared(7)`);
const quick = statement(sql`select 'quick'`);

let test: TestDatabase;
let database: Database;
let holder: Session;

beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  database = await connectDatabase({ connection: test.connection, log: silentLog });
  holder = await openSession(test.connection, { pipelined: false, statementTimeoutMs: 60_000 });
  await holder.query(statement(sql`select pg_advisory_lock(7)`));
});
afterEach(async () => {
  await holder.close();
  await database.close();
});

async function waiting(): Promise<number> {
  const query = sql`select count(*) from pg_locks where locktype = 'advisory' and not granted`;
  return Number((await holder.query(statement(query))).rows[0]?.[0]);
}

const reason = (error: unknown) => (error instanceof Error ? error.message : error);

describe('plain clients', () => {
  it('are not all had by one organization; what it has too many of waits, then is UNAVAILABLE', async () => {
    const asked = Array.from({ length: 6 }, () => database.run('slow', slow).then(() => 'done', reason));
    await expect.poll(waiting, { timeout: 10_000 }).toBe(4);
    for (const other of others) expect((await database.run(other, quick)).rows).toEqual([['quick']]);
    const busy = 'All connections to the database are busy; try again shortly';
    expect(await Promise.all(asked.slice(4))).toEqual([busy, busy]);
    await holder.close();
    expect(await Promise.all(asked.slice(0, 4))).toEqual(Array.from({ length: 4 }, () => 'done'));
  });

  it.each([1, 14, 16, 20, 27, 32])(
    'are two for an organization and one for another beside %d processes',
    async (processes) => {
      const few = await connectDatabase({ connection: test.connection, log: silentLog, processes });
      const long = few.run('slow', slow);
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
      expect((await few.run('slow', quick)).rows).toEqual([['quick']]);
      const second = few.run('slow', slow);
      await expect.poll(waiting, { timeout: 10_000 }).toBe(2);
      expect((await few.run('other', quick)).rows).toEqual([['quick']]);
      await holder.close();
      await Promise.all([long, second]);
      await few.close();
    },
  );

  it('go to who holds least when they become free', async () => {
    const few = await connectDatabase({ connection: test.connection, log: silentLog, plainClients: 4 });
    const served: string[] = [];
    const ask = (name: string) => few.run(name, quick).then(() => void served.push(name));
    await holder.query(statement(sql`select pg_advisory_lock(8)`));
    const blocked = ['slow', 'slow', 'other'].map((name) => few.run(name, slow));
    blocked.push(few.run('third', statement(sql`select 'done' from pg_advisory_xact_lock_shared(8)`)));
    await expect.poll(waiting, { timeout: 10_000 }).toBe(4);
    const line = [ask('slow'), ask('other'), ask('newcomer')];
    // One client alone becomes free, so that those who waited for it follow one another.
    await holder.query(statement(sql`select pg_advisory_unlock(8)`));
    await Promise.all([line[1], line[2]]);
    expect(served).toEqual(['newcomer', 'other']);
    await holder.close();
    await Promise.all([...blocked, ...line]);
    await few.close();
  });
});

describe('pipelined clients', () => {
  it('are held up by one organization by half at most', async () => {
    await Promise.all(others.map((other) => database.read(other, [quick])));
    const asked: Promise<unknown>[] = [];
    for (const held of [1, 2, 2]) {
      for (let more = 0; more < 2; more++) asked.push(database.read('slow', [slow]).then(() => 'done', reason));
      await expect.poll(waiting).toBe(held);
      await pause(60); // from now on the client counts as held up
    }
    for (const other of others) expect((await database.read(other, [quick]))[0]?.rows).toEqual([['quick']]);
    expect(await waiting()).toBe(2);
    await holder.close();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'done'));
  });

  it.each([16, 17, 32])('are not all held up by one organization beside %d processes', async (processes) => {
    const few = await connectDatabase({ connection: test.connection, log: silentLog, processes });
    await Promise.all(others.map((other) => few.read(other, [quick])));
    const held = few.read('slow', [slow]);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    await pause(60); // from now on the client counts as held up
    for (const other of others) expect((await few.read(other, [quick]))[0]?.rows).toEqual([['quick']]);
    await holder.close();
    await held;
    await few.close();
  });

  it('take eight reads of an organization at once', async () => {
    const turns = createTurns(8);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const work = async () => {
      running++;
      await gate.promise;
    };
    const own = Array.from({ length: 9 }, () => turns.take('slow', work).then(() => 'done', reason));
    const other = turns.take('other', work);
    expect(running).toBe(9);
    expect(await own[8]).toBe('This organization has too many requests waiting for the database; try again shortly');
    const next = turns.take('slow', work);
    expect(running).toBe(9);
    gate.resolve();
    await Promise.all([...own, other, next]);
    expect(running).toBe(10);
  });
});

describe('a time limit', () => {
  const sleeping = statement(sql`select pg_sleep(0.4)`);
  const limit = statement(sql`show statement_timeout`);

  it('is that of the call, on whichever client', async () => {
    const limits = [statementLimits.global, statementLimits.bulk, undefined, 7];
    const told: unknown[] = [];
    for (const each of limits) {
      told.push((await database.run('a', limit, each)).rows[0]?.[0]);
      told.push(await database.transaction('a', async (tx) => (await tx.run(limit)).rows[0]?.[0], each));
      for await (const rows of database.stream(
        'a',
        statement(sql`select current_setting('statement_timeout')`),
        1,
        each,
      ))
        told.push(rows[0]?.[0]);
    }
    expect(told).toEqual(['10s', '5min', '1min', '7ms'].flatMap((each) => [each, each, each]));
  });

  it('ends what takes longer, and nothing else', async () => {
    await expect(database.run('a', sleeping, 50)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The request took too long and was broken off; ask for less or try again',
    });
    expect((await database.run('a', sleeping, 5_000)).count).toBe(1);
  });
});
