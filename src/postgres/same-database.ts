/** Whether two connections by different addresses lead to the same database. */
import type { Transaction } from './database.ts';
import { sql, statement } from './sql.ts';

/** In the same database, a lock of one transaction is visible to the other. */
export async function isSameDatabase(one: Transaction, other: Transaction): Promise<boolean> {
  const lock = sql`select pg_try_advisory_xact_lock(${BigInt(Math.floor(Math.random() * 2 ** 48))}::bigint)`;
  await one.run(statement(lock));
  const { rows } = await other.run(statement(lock));
  return rows[0]?.[0] !== 't';
}
