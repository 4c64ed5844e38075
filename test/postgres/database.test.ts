import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Cell, Database, Queryable } from '../../src/postgres/database.ts';
import { sqlState, violatedConstraint } from '../../src/postgres/failure.ts';
import { openSession } from '../../src/postgres/session.ts';
import { sql, statement, trusted } from '../../src/postgres/sql.ts';
import type { Sql } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';
import { startProxy } from '../support/proxy.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await testDatabase();
  database = test.database;
  await database.run('', statement(sql`create table things (id int primary key, label text, amount int default 0)`));
});
afterAll(() => test.drop());

async function readOne(wanted: Sql, affinity = 'a', from = database): Promise<Cell> {
  const [answer] = await from.read(affinity, [statement(wanted)]);
  return answer?.rows[0]?.[0] ?? null;
}

async function runOne(wanted: Sql, affinity = 'a'): Promise<Cell> {
  return (await database.run(affinity, statement(wanted))).rows[0]?.[0] ?? null;
}

const backend = sql`select pg_backend_pid()`;

/** Holds the advisory lock `key` until `release`; `waiter` resolves with the backend that waits for it. */
async function holdLock(key: number) {
  const session = await openSession(test.connection, { pipelined: false, statementTimeoutMs: 60_000 });
  await session.query(statement(sql`select pg_advisory_lock(${key})`));
  return {
    async waiter(): Promise<string> {
      const waiting = sql`select pid from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`;
      for (;;) {
        const pid = (await session.query(statement(waiting))).rows[0]?.[0];
        if (pid) return pid;
        await sleep(5);
      }
    },
    terminate: (pid: string) => session.query(statement(sql`select pg_terminate_backend(${pid}::int, 5000)`)),
    release: () => session.close(),
  };
}

/** Nothing else in this process gets on for so long. */
function holdLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('answers', () => {
  it.each<[string, Sql, Cell]>([
    ['boolean', sql`select true`, 't'],
    ['numeric', sql`select 1.10::numeric`, '1.10'],
    ['bigint', sql`select 9007199254740993`, '9007199254740993'],
    ['double', sql`select 0.1::float8 + 0.2::float8`, '0.30000000000000004'],
    ['timestamp', sql`select '2026-03-01T10:00:00+02'::timestamptz`, '2026-03-01 08:00:00+00'],
    ['date', sql`select date '2026-03-01'`, '2026-03-01'],
    ['bytes', sql`select '\\x00ff'::bytea`, '\\x00ff'],
    ['null', sql`select null`, null],
    ['bound list', sql`select array_to_string(${['a,"b', null, 'ü']}::text[], '|', '-')`, 'a,"b|-|ü'],
  ])('%s comes as the text of the wire', async (_type, wanted, text) => {
    expect(await readOne(wanted)).toBe(text);
    expect(await runOne(wanted)).toBe(text);
  });

  it.each(['short', 'long'])('brings the items of a %s list as they are', async (length) => {
    const signs = Array.from({ length: 0x2fff }, (_, i) => String.fromCharCode(i + 1));
    const words = ['', 'NULL', '{}', ',', String.raw`\\"\"`, '{"a":"\\n"}', 'line\n"two"\\', '🙂', '\ud800"\u0007'];
    const items = [signs, ...Array.from({ length: length === 'long' ? 20_000 : 1 }, () => words)].flat();
    const arrived = JSON.parse((await readOne(sql`select to_jsonb(${items}::text[])`)) ?? '');
    expect(arrived).toEqual(items.map((item) => item.toWellFormed()));
  });

  it('counts the rows that a statement changed', async () => {
    const inserted = await database.run('a', statement(sql`insert into things (id) select generate_series(1, 3)`));
    expect(inserted).toEqual({ rows: [], count: 3 });
  });

  it('refuses several statements in one', async () => {
    const both = { text: 'select 1; select 2', values: [] };
    await expect(database.run('a', both)).rejects.toSatisfy((error) => sqlState(error) === '42601');
    await expect(database.read('a', [both])).rejects.toSatisfy((error) => sqlState(error) === '42601');
  });

  it('leaves errors of the data to the caller', async () => {
    const twice = database.run('a', statement(sql`insert into things (id) values (900), (900)`));
    await expect(twice).rejects.toSatisfy((error) => violatedConstraint(error) === 'things_pkey');
  });
});

describe('reads', () => {
  it('answers a batch in order, on one backend, and always the same for an organization', async () => {
    const batch = Array.from({ length: 20 }, (_, i) => statement(sql`select ${i}::int, pg_backend_pid()`));
    const rows = (await database.read('organization', batch)).map((answer) => answer.rows[0]);
    expect(rows.map((row) => Number(row?.[0]))).toEqual(batch.map((_, i) => i));
    const backends = new Set(rows.map((row) => row?.[1]));
    backends.add(await readOne(backend, 'organization'));
    expect(backends.size).toBe(1);
  });

  it('keeps the error of one read from the reads around it', async () => {
    const reads = Array.from({ length: 9 }, (_, i) => readOne(sql`select 12 / (${i}::int - 4)`));
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(
      outcomes.map((_, i) => (i === 4 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[8]).toMatchObject({ value: '3' });
  });

  it('fails a batch with the error of its statement', async () => {
    const batch = [sql`select 1`, sql`select 1 / 0`, sql`select 2`].map((wanted) => statement(wanted));
    await expect(database.read('a', batch)).rejects.toSatisfy((error) => sqlState(error) === '22012');
  });

  it('does not write', async () => {
    const write = readOne(sql`insert into things (id) values (901) returning id`);
    await expect(write).rejects.toSatisfy((error) => sqlState(error) === '25006');
  });

  it('passes over a client that is held up', async () => {
    const lock = await holdLock(1);
    const slow = readOne(sql`select pg_advisory_lock_shared(1)::text || 'done'`);
    await lock.waiter();
    await sleep(60);
    await expect(readOne(sql`select 'quick'`)).resolves.toBe('quick');
    await lock.release();
    await expect(slow).resolves.toBe('done');
  });

  it('repeats a read whose connection was cut', async () => {
    const lock = await holdLock(2);
    const read = readOne(sql`select pg_backend_pid() from pg_advisory_xact_lock_shared(2)`);
    const first = await lock.waiter();
    await lock.terminate(first);
    const second = await lock.waiter();
    await lock.release();
    expect(await read).toBe(second);
    expect(second).not.toBe(first);
  });

  it('turns a statement that takes too long into UNAVAILABLE', async () => {
    const hasty = await connectDatabase({ connection: test.connection, log: silentLog, readTimeoutMs: 50 });
    const error = await readOne(sql`select pg_sleep(20)`, 'a', hasty).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('too long') });
    expect(await readOne(sql`select 1`, 'a', hasty)).toBe('1');
    await hasty.close();
  });
});

describe('named statements', () => {
  it('survive a change of their table', async () => {
    await database.run('a', statement(sql`create table changing (a int)`));
    await database.run('a', statement(sql`insert into changing values (1)`));
    const all = statement(sql`select * from changing`, 'v1');
    for (const width of [1, 2, 3]) {
      expect((await database.read('a', [all, all]))[1]?.rows[0]).toHaveLength(width);
      expect((await database.run('a', all)).rows[0]).toHaveLength(width);
      expect(await database.transaction('a', async (tx) => (await tx.run(all)).rows[0])).toHaveLength(width);
      await database.run('b', statement(sql`alter table changing add column ${trusted(`c${width}`)} int`));
    }
  });
});

describe('single writes', () => {
  it('are not repeated when their connection is cut, and the next one works', async () => {
    const lock = await holdLock(3);
    const insert = sql`insert into things (id) select 902 from pg_advisory_xact_lock(3)`;
    const write = database.run('a', statement(insert)).catch((error: unknown) => error);
    await lock.terminate(await lock.waiter());
    expect(await write).toMatchObject({ code: 'UNAVAILABLE' });
    await lock.release();
    expect(await runOne(sql`select count(*) from things where id = 902`)).toBe('0');
  });

  it('do not leave a transaction open for the next one', async () => {
    await database.run('a', statement(sql`begin`));
    await database.run('a', statement(sql`insert into things (id) values (903)`));
    expect(await readOne(sql`select count(*) from things where id = 903`, 'b')).toBe('1');
  });
});

describe('transactions', () => {
  const insert = (tx: Queryable, id: number) => tx.run(statement(sql`insert into things (id) values (${id})`));
  const count = (id: number) => runOne(sql`select count(*) from things where id = ${id}`);

  it('commit when the body resolves', async () => {
    const value = await database.transaction('a', async (tx) => {
      await insert(tx, 10);
      await tx.script('create table made (a int); drop table made');
      return 'value';
    });
    expect([value, await count(10)]).toEqual(['value', '1']);
  });

  it('roll back when it throws, with its error', async () => {
    const failure = new Error('on purpose');
    const body = database.transaction('a', async (tx) => {
      await insert(tx, 11);
      throw failure;
    });
    await expect(body).rejects.toBe(failure);
    expect(await count(11)).toBe('0');
  });

  it('fail when a statement failed that the body ignored', async () => {
    const body = database.transaction('a', async (tx) => {
      await insert(tx, 12);
      await insert(tx, 12).catch(() => {});
    });
    await expect(body).rejects.toThrow('not committed');
    expect(await count(12)).toBe('0');
  });

  it('run statements that were started side by side, none after their end', async () => {
    let late: Queryable | undefined;
    await database.transaction('a', async (tx) => {
      late = tx;
      await Promise.all([insert(tx, 13), insert(tx, 14)]);
    });
    expect([await count(13), await count(14)]).toEqual(['1', '1']);
    await expect(late?.run(statement(sql`select 1`))).rejects.toThrow('over');
  });

  it('are repeated after a deadlock until both are through', async () => {
    await database.run('a', statement(sql`insert into things (id) values (20), (21)`));
    const arrived: string[] = [];
    const { promise: bothHoldOne, resolve } = Promise.withResolvers<void>();
    const add = (tx: Queryable, id: number) =>
      tx.run(statement(sql`update things set amount = amount + 1 where id = ${id}`));
    const cross = (name: string, first: number, second: number) =>
      database.transaction(name, async (tx) => {
        await add(tx, first);
        if (arrived.push(name) === 2) resolve();
        await bothHoldOne;
        await add(tx, second);
      });
    await Promise.all([cross('a', 20, 21), cross('b', 21, 20)]);
    expect(arrived.length).toBeGreaterThan(2);
    expect(await runOne(sql`select string_agg(amount::text, ',') from things where id in (20, 21)`)).toBe('2,2');
  });

  it('are repeated three times at most', async () => {
    let attempts = 0;
    const body = database.transaction('a', async (tx) => {
      attempts++;
      await tx.script(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    await expect(body).rejects.toSatisfy((error) => sqlState(error) === '40001');
    expect(attempts).toBe(4);
  });

  it('end as UNAVAILABLE when their connection is cut, and nothing stays', async () => {
    const body = database.transaction('a', async (tx) => {
      await insert(tx, 30);
      const pid = (await tx.run(statement(backend))).rows[0]?.[0] ?? '';
      await database.read('b', [statement(sql`select pg_terminate_backend(${pid}::int)`)]);
      await insert(tx, 31);
    });
    await expect(body).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect([await count(30), await count(31)]).toEqual(['0', '0']);
  });
});

describe('with one plain client', () => {
  let single: Database;
  beforeAll(async () => {
    single = await connectDatabase({ connection: test.connection, log: silentLog, plainClients: 1 });
  });
  afterAll(() => single.close());
  const works = async () => (await single.run('a', statement(sql`select 1`))).count === 1;
  const client = async () => (await single.run('a', statement(backend))).rows[0]?.[0];
  const numbers = (upTo: Sql) => statement(sql`select i from generate_series(1, ${upTo}) i`);

  it('streams all rows in batches and gives the client back', async () => {
    const before = await client();
    const sizes: number[] = [];
    for await (const rows of single.stream('a', numbers(sql`${7}::int`), 3)) sizes.push(rows.length);
    expect(sizes).toEqual([3, 3, 1]);
    expect(await client()).toBe(before);
  });

  it('gives the client back when the consumer stops early or throws', async () => {
    const before = await client();
    for await (const rows of single.stream('a', numbers(sql`1000000`), 10)) {
      expect(rows).toHaveLength(10);
      break;
    }
    expect(await client()).toBe(before);
    const broken = async () => {
      for await (const rows of single.stream('a', numbers(sql`1000000`), 10)) throw new Error(`${rows.length} rows`);
    };
    await expect(broken()).rejects.toThrow('10 rows');
    expect(await client()).toBe(before);
  });

  it('throws what goes wrong in the middle of a stream', async () => {
    const failing = statement(sql`select 1 / (5 - i) from generate_series(1, 9) i`);
    const before = await client();
    const sizes: number[] = [];
    const consume = async () => {
      for await (const rows of single.stream('a', failing, 2)) sizes.push(rows.length);
    };
    await expect(consume()).rejects.toSatisfy((error) => sqlState(error) === '22012');
    expect(sizes).toEqual([2, 2]);
    expect(await client()).toBe(before);
  });

  it('ends a stream whose connection is cut as UNAVAILABLE', async () => {
    const consume = async () => {
      const pids = statement(sql`select pg_backend_pid() from generate_series(1, 1000)`);
      for await (const rows of single.stream('a', pids, 10)) {
        await database.run('b', statement(sql`select pg_terminate_backend(${rows[0]?.[0] ?? ''}::int)`));
      }
    };
    await expect(consume()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await works()).toBe(true);
  });

  it('answers UNAVAILABLE when the client does not become free, in turn otherwise', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holder = single.transaction('a', () => held);
    await expect(works()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('busy') });
    const next = works();
    release();
    await holder;
    expect(await next).toBe(true);
  });
});

describe('the server', () => {
  it('is named with the reason when it cannot be reached', async () => {
    const nowhere = connectDatabase({ connection: 'postgres://nobody@127.0.0.1:1/none', log: silentLog });
    await expect(nowhere).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('keeps the options that an address brings', async () => {
    const address = new URL(test.url);
    address.searchParams.set('options', '-c work_mem=7MB -c TimeZone=Europe/Berlin');
    const tuned = await connectDatabase({ connection: address.href, log: silentLog });
    expect(await readOne(sql`show work_mem`, 'a', tuned)).toBe('7MB');
    expect(await readOne(sql`show timezone`, 'a', tuned)).toBe('UTC');
    await tuned.close();
  });

  it('may freeze: whoever waits gets UNAVAILABLE, and all goes on when it is back', async () => {
    const proxy = await startProxy(test.connection);
    const behind = await connectDatabase({ connection: proxy.connection, log: silentLog });
    expect(await readOne(sql`select 1`, 'a', behind)).toBe('1');
    proxy.freeze();
    const waiting = [readOne(sql`select 1`, 'a', behind), behind.run('a', statement(sql`select 1`)), behind.ping()];
    const outcomes = await Promise.allSettled(waiting);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
    proxy.thaw();
    await expect.poll(() => readOne(sql`select 1`, 'a', behind).catch(() => 'away'), { timeout: 10_000 }).toBe('1');
    await behind.close();
    proxy.close();
  });

  it('is not taken for frozen by a process that was held up itself', { timeout: 60_000 }, async () => {
    const told: string[] = [];
    const log = { ...silentLog, error: (_fields: object, message: string) => void told.push(message) };
    const behind = await connectDatabase({ connection: test.connection, log });
    const lock = await holdLock(4711);
    const asking = behind.run('a', statement(sql`select pg_advisory_xact_lock(4711)`));
    await lock.waiter();
    // Each time longer than an answer may take; between them, the watch and its question get one turn.
    for (let at = 0; at < 3; at++) {
      holdLoop(2_500);
      await new Promise(setImmediate);
    }
    await lock.release();
    await asking;
    expect(told).toEqual([]);
    await behind.close();
  });

  it('sees no more of a closed database', async () => {
    const closing = await connectDatabase({ connection: test.connection, log: silentLog });
    await closing.close();
    await expect(readOne(sql`select 1`, 'a', closing)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(closing.run('a', statement(sql`select 1`))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
