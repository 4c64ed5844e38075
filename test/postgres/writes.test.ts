/** Writes of one statement that travel on one client: each is done once or not at all, and none is held up by another for long. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rows } from '../../src/postgres/database.ts';
import { openSession, type Session } from '../../src/postgres/session.ts';
import { statementLimits } from '../../src/postgres/database.ts';
import { sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
/** Beside the writes. */
let other: Session;

beforeAll(async () => {
  test = await testDatabase({ writingClients: 1 });
});
afterAll(() => test.drop());
beforeEach(async () => {
  other = await openSession(test.connection, { pipelined: false, statementTimeoutMs: 60_000 });
  await other.script('create table things (id int primary key, label text, pid int)');
  await other.script("insert into things select n, 'old' from generate_series(1, 20) n");
});
afterEach(async () => {
  await other.script('rollback; drop table things');
  await other.close();
});

const write = (query: Sql, signal?: AbortSignal): Promise<Rows> =>
  test.database.write('a', statement(query), statementLimits.global, signal);
const name = (id: number, label: string, signal?: AbortSignal) =>
  write(sql`update things set label = ${label}, pid = pg_backend_pid() where id = ${id} returning pid`, signal);
const nameSlowly = (id: number, label: string, signal?: AbortSignal) =>
  write(sql`update things set label = ${label} where id = ${id} and pg_sleep(20) is not null`, signal);
const ask = async (query: Sql) => (await other.query(statement(query))).rows[0]?.[0];
const labelOf = (id: number) => ask(sql`select label from things where id = ${id}`);
/** Not through `other`: in a transaction, what is at work looks as it did at first. */
const waiting = async () => {
  const [found] = await test.database.read('watch', [
    statement(sql`select count(*) from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()`),
  ]);
  return found?.rows[0]?.[0];
};
const atWork = () =>
  ask(sql`select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(20)%'
    and datname = current_database() and pid <> pg_backend_pid()`);

const reason = new Error('Nobody waits any more');

describe('writes of one statement', () => {
  it('share a client, and are all done', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => name(at + 1, `new ${at + 1}`)));
    expect(new Set(answers.map(({ rows }) => rows[0]?.[0])).size).toBe(1);
    expect(await ask(sql`select count(*) from things where label = 'new ' || id`)).toBe('20');
  });

  it('go on behind one that waits for a lock, which waits elsewhere', async () => {
    const { rows } = await name(2, 'new');
    await other.script('begin; update things set pid = 0 where id = 1');
    const held = name(1, 'after all');
    const behind = await Promise.all([3, 4, 5].map((id) => name(id, 'behind')));
    expect(behind.map((answer) => answer.rows)).toEqual([rows, rows, rows]);
    await expect.poll(waiting, { timeout: 10_000 }).toBe('1');
    await other.script('commit');
    expect((await held).rows).not.toEqual(rows);
    expect(await labelOf(1)).toBe('after all');
  });

  it('let a transaction go on whose locks they would meet in the other order', async () => {
    await other.script('begin; update things set pid = 0 where id = 2');
    const backwards = write(sql`with first as (update things set label = 'both' where id = 1 returning id)
      update things t set label = 'both' from first where t.id = 2`);
    // Once it waits for the second row it has the first one, which is asked for now: the circle is closed.
    await expect.poll(waiting, { interval: 1, timeout: 10_000 }).toBe('1');
    await other.script('update things set pid = 0 where id = 1; commit');
    expect((await backwards).count).toBe(1);
    expect([await labelOf(1), await labelOf(2)]).toEqual(['both', 'both']);
  });

  it('end with what they are refused for, alone', async () => {
    const duplicate = write(sql`insert into things (id) values (7)`);
    const next = name(8, 'next');
    await expect(duplicate).rejects.toMatchObject({ code: '23505' });
    expect((await next).count).toBe(1);
  });

  it('are cancelled when their signal is aborted, and those behind are done all the same', async () => {
    const leaving = new AbortController();
    const left = nameSlowly(9, 'left', leaving.signal);
    const behind = [name(10, 'behind'), name(11, 'behind')];
    await expect.poll(atWork, { interval: 5, timeout: 10_000 }).toBe('1');
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect((await Promise.all(behind)).map(({ count }) => count)).toEqual([1, 1]);
    expect(await labelOf(9)).toBe('old');
  });

  it('are cancelled at the latest when it is their turn', async () => {
    const leaving = new AbortController();
    const first = write(sql`update things set label = 'first' where id = 12 and pg_sleep(0.2) is not null`);
    const left = nameSlowly(13, 'left', leaving.signal);
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect((await first).count).toBe(1);
    expect([await labelOf(12), await labelOf(13)]).toEqual(['first', 'old']);
  });

  it('are not hit by what was meant for another one', async () => {
    for (let at = 0; at < 60; at++) {
      const leaving = new AbortController();
      const brief = sql`update things set label = 'left' where id = 18 and pg_sleep(${(at % 10) / 1_000}::double precision) is not null`;
      const left = write(brief, leaving.signal).catch((error: unknown) => error);
      setTimeout(() => leaving.abort(reason), at % 12);
      const next = Promise.all([name(19, `next ${at}`), name(20, `next ${at}`)]);
      const ended = await left;
      if (ended instanceof Error) expect(ended).toBe(reason);
      expect((await next).map(({ count }) => count)).toEqual([1, 1]);
      expect([await labelOf(19), await labelOf(20)]).toEqual([`next ${at}`, `next ${at}`]);
    }
  });

  it('are not sent where their signal is aborted already', async () => {
    await expect(name(14, 'late', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await labelOf(14)).toBe('old');
  });

  it('are never repeated after a lost connection', async () => {
    await other.script('create table tries (id serial)');
    const lost = [1, 2, 3].map((id) =>
      write(sql`insert into tries select ${id} from pg_sleep(20)`).catch((error: unknown) => error),
    );
    await expect.poll(atWork, { interval: 5, timeout: 10_000 }).toBe('1');
    await other.query(
      statement(sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where state = 'active' and query like '%pg_sleep(20)%' and datname = current_database() and pid <> pg_backend_pid()`),
    );
    expect(await Promise.all(lost)).toMatchObject(lost.map(() => ({ code: 'UNAVAILABLE' })));
    expect((await name(15, 'next')).count).toBe(1);
    expect([await atWork(), await ask(sql`select count(*) from tries`)]).toEqual(['0', '0']);
    await other.script('drop table tries');
  });

  it('are sent again where a changed table made their plan useless', async () => {
    const read = () => write(sql`update things set label = 'same' where id = 16 returning *`);
    await read();
    await read();
    await other.script('alter table things add extra int');
    expect((await read()).rows[0]).toHaveLength(4);
  });

  it('have the limit of other requests on a plain client', async () => {
    const limit = sql`update things set label = current_setting('statement_timeout') where id = 17 returning label`;
    expect((await test.database.write('a', statement(limit), 7_000)).rows).toEqual([['7s']]);
    expect((await write(limit)).rows).toEqual([['10s']]);
  });
});
