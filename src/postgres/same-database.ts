/** Whether two connections, made of two addresses, lead to one database. */
import type { Transaction } from './database.ts';
import { sql, statement } from './sql.ts';

/** A lock of one is a lock of the other when both transactions are in one database. */
export async function isSameDatabase(one: Transaction, other: Transaction): Promise<boolean> {
  const lock = sql`select pg_try_advisory_xact_lock(${BigInt(Math.floor(Math.random() * 2 ** 48))}::bigint)`;
  await one.run(statement(lock));
  const { rows } = await other.run(statement(lock));
  return rows[0]?.[0] !== 't';
}
