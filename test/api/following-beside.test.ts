/** [issue: Following] Whose long writes hold the feed of changes back, and whose do not. */
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import { follow, positionNow, settled, told } from './following.ts';
import { create } from './records.ts';
import { admin, kith, table, useStage } from './stage.ts';

useStage(() => Promise.resolve());

/** While a transaction is at work that has its mark, and in which `write` was run. */
async function beside<T>(database: Database, write: Sql, work: () => Promise<T>): Promise<T> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const writing = database.transaction('beside', async (tx) => {
    // On Citus a write alone gives the coordinator's transaction none.
    await tx.run(statement(sql`select pg_current_xact_id()`));
    await tx.run(statement(write));
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  try {
    return await work();
  } finally {
    end.resolve();
    await writing;
  }
}

describe('a long write', () => {
  const toldAtOnce = async () => {
    const before = await positionNow(admin);
    await create(admin, 'companies', { name: 'At once' });
    return told((await follow(admin, before)).events);
  };

  /** While the long write goes on: a short one of the service itself may hold it back for a moment. */
  const toldMeanwhile = async () => {
    const before = await positionNow(admin);
    await create(admin, 'companies', { name: 'Meanwhile' });
    const events = async () => (await follow(admin, before)).events;
    return told(await vi.waitUntil(async () => (await events()).length > 0 && events(), { timeout: 10_000 }));
  };

  it('of another organization, or in another database, holds nothing back', async () => {
    await settled(kith);
    const { database } = kith.database;
    const other = await kith.organization();
    const theirs = sql`update ${identifier(other.schema, '_organization')} set model_version = model_version`;
    expect(await beside(database, theirs, toldMeanwhile)).toEqual(['record.created companies Meanwhile']);
    const elsewhere = await testDatabase();
    await elsewhere.database.run('beside', statement(sql`create table anything (n integer)`));
    const write = sql`insert into anything values (1)`;
    expect(await beside(elsewhere.database, write, toldMeanwhile)).toEqual(['record.created companies Meanwhile']);
    await elsewhere.drop();
  });

  it('that may still come to the organization does', async () => {
    await settled(kith);
    const { database } = kith.database;
    expect(await beside(database, sql`select 1`, toldAtOnce)).toEqual([]);
    const own = sql`update ${table('_organization')} set model_version = model_version`;
    expect(await beside(database, own, toldAtOnce)).toEqual([]);
  });
});
