/** What a signal ends in the database, and what it leaves alone. One plain client, so that whatever is left over meets the next user. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
let observer: TestDatabase['database'];
let other: TestDatabase;

beforeAll(async () => {
  test = await testDatabase({ plainClients: 1, pipelinedClients: 1 });
  other = await testDatabase();
  observer = other.database;
  await test.database.transaction('test', (tx) =>
    tx.script(`create table things (id integer);
      create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.4); return null; end $$;
      create constraint trigger slowly after insert on things deferrable initially deferred
      for each row when (new.id = 2) execute function slowly()`),
  );
});
afterAll(async () => {
  await test.drop();
  await other.drop();
});

const reason = new Error('Nobody waits any more');
const sleeping = statement(sql`select pg_sleep(20)`);
const backend = statement(sql`select pg_backend_pid()`);
const one = async () => (await test.database.run('a', statement(sql`select 1`))).rows[0]?.[0];
const things = async () =>
  Number((await test.database.run('a', statement(sql`select count(*) from things`))).rows[0]?.[0]);

/** Statements of the test's database at work whose text is like that. */
async function atWork(like: string): Promise<number> {
  const query = sql`select count(*) from pg_stat_activity where state = 'active' and query like ${like}
    and datname <> current_database() and pid <> pg_backend_pid()`;
  return Number((await observer.run('observer', statement(query))).rows[0]?.[0]);
}

async function abortOnceAtWork(like: string, leaving: AbortController): Promise<void> {
  await expect.poll(() => atWork(like), { interval: 10 }).toBe(1);
  leaving.abort(reason);
}

describe('an aborted signal', () => {
  it('cancels one statement, and leaves its client to the next', async () => {
    const [before] = (await test.database.run('a', backend)).rows;
    const leaving = new AbortController();
    const work = test.database.run('a', sleeping, undefined, leaving.signal);
    await Promise.all([expect(work).rejects.toBe(reason), abortOnceAtWork('select pg_sleep(20)%', leaving)]);
    await expect.poll(() => atWork('select pg_sleep(20)%')).toBe(0);
    expect((await test.database.run('a', backend)).rows[0]).toEqual(before);
  });

  it('never hits what comes after the statement that it was meant for', async () => {
    for (let at = 0; at < 60; at++) {
      const leaving = new AbortController();
      const brief = statement(sql`select pg_sleep(${(at % 10) / 1_000}::double precision)`);
      const work = test.database.run('a', brief, undefined, leaving.signal).catch((error: unknown) => error);
      setTimeout(() => leaving.abort(reason), at % 12);
      const next = Promise.all([one(), one()]);
      const ended = await work;
      if (ended instanceof Error) expect(ended).toBe(reason);
      expect(await next).toEqual(['1', '1']);
    }
  });

  it('undoes a transaction', async () => {
    const leaving = new AbortController();
    const work = test.database.transaction(
      'a',
      async (tx) => {
        await tx.run(statement(sql`insert into things values (1)`));
        await tx.run(sleeping);
      },
      undefined,
      leaving.signal,
    );
    await Promise.all([expect(work).rejects.toBe(reason), abortOnceAtWork('select pg_sleep(20)%', leaving)]);
    expect(await things()).toBe(0);
  });

  it('does not end a commit', async () => {
    const leaving = new AbortController();
    const work = test.database.transaction(
      'a',
      (tx) => tx.run(statement(sql`insert into things values (2)`)),
      undefined,
      leaving.signal,
    );
    await Promise.all([expect(work).resolves.toMatchObject({ count: 1 }), abortOnceAtWork('commit', leaving)]);
    expect(await things()).toBe(1);
  });

  it('begins nothing', async () => {
    const { database } = test;
    const signal = AbortSignal.abort(reason);
    const insert = statement(sql`insert into things values (3)`);
    await expect(database.run('a', insert, undefined, signal)).rejects.toBe(reason);
    await expect(database.transaction('a', (tx) => tx.run(insert), undefined, signal)).rejects.toBe(reason);
    await expect(database.read('a', [backend], signal)).rejects.toBe(reason);
    await expect(Array.fromAsync(database.stream('a', backend, 1, undefined, signal))).rejects.toBe(reason);
    expect(await things()).toBe(1);
  });

  it('frees the client of a stream whose reader asks for nothing more', async () => {
    const leaving = new AbortController();
    const numbers = statement(sql`select n from generate_series(1, 100000) n`);
    const rows = test.database.stream('a', numbers, 10, undefined, leaving.signal)[Symbol.asyncIterator]();
    expect((await rows.next()).value).toHaveLength(10);
    leaving.abort(reason);
    expect(await one()).toBe('1');
    await expect(rows.next()).rejects.toBe(reason);
  });

  it('ends a stream at its statement', async () => {
    const leaving = new AbortController();
    const work = Array.fromAsync(test.database.stream('a', sleeping, 10, undefined, leaving.signal));
    await Promise.all([expect(work).rejects.toBe(reason), abortOnceAtWork('fetch%', leaving)]);
    expect(await one()).toBe('1');
  });

  it('drops the answer of a read, which goes on beside those of others', async () => {
    const leaving = new AbortController();
    const slow = statement(sql`select pg_sleep(0.5)`);
    const work = test.database.read('a', [slow], leaving.signal);
    const behind = test.database.read('b', [statement(sql`select 7`)]);
    await Promise.all([expect(work).rejects.toBe(reason), abortOnceAtWork('select pg_sleep(0.5)%', leaving)]);
    expect(await behind).toMatchObject([{ rows: [['7']] }]);
  });
});
