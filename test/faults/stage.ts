/** What faults are tried on: an organization whose database is reached through a relay. */
import { expect } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';
import { storageOf, type Storage } from '../writes/invariants.ts';
import { serviceEnv } from './service.ts';
import { statementProxy, type StatementProxy } from './statement-proxy.ts';

export interface FaultStage {
  /** Of the organization's admin. */
  readonly token: string;
  /** What is stored, read past the relay. */
  readonly storage: Storage;
  readonly proxy: StatementProxy;
  /** Of a service that reaches the database through the relay. */
  readonly env: Readonly<Record<string, string>>;
  /** The other side has noticed that its client is gone, and nothing of it holds a lock any more. */
  untilAlone(): Promise<void>;
  drop(): Promise<void>;
}

export async function faultStage(): Promise<FaultStage> {
  const database = await testDatabase();
  const { token, schemaName } = await firstOrganization(createEngine(database.database), database.database);
  const storage = storageOf(database.database, schemaName);
  const proxy = await statementProxy(database.url);
  const others = sql`select count(*) from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  return {
    token,
    storage,
    proxy,
    env: { ...serviceEnv, DATABASE_URL: proxy.url },
    async untilAlone() {
      await expect.poll(async () => (await storage.rows(others))[0]?.[0], { timeout: 10_000, interval: 10 }).toBe('0');
    },
    async drop() {
      proxy.close();
      await database.drop();
    },
  };
}
