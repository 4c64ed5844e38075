/**
 * Serialises the merges of one organization: each locks records of several objects, which two could do in opposite
 * orders.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';

/** The class of the advisory locks of merges. */
const mergeLock = 721_546_003;

/** Waits for running merges, and blocks others until the end of the transaction. */
export async function takeTurn({ model }: Call, tx: WorkspaceTransaction): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${mergeLock}::integer, hashtext(${model.organizationId}))`);
}

/** Ids by object. */
export type RecordsByObject = ReadonlyMap<ObjectDef, ReadonlySet<string>>;

/**
 * Locks all of `records`, including `merged`, and returns those that exist. First against changes, which does not
 * block records that refer to them: a change locks the record, then its targets. Then `merged` also against new
 * references.
 */
export async function lockAll(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  records: RecordsByObject,
  object: ObjectDef,
  merged: readonly string[],
): Promise<void> {
  const all = new Map(records).set(object, new Set([...(records.get(object) ?? []), ...merged]));
  const inOrder = [...all].toSorted(([one], [other]) => (one.id < other.id ? -1 : 1));
  for (const [{ table }, ids] of inOrder)
    await tx.run(sql`select t.id from ${workspace.table(table)} t
      where t.id = any(${[...ids]}::uuid[]) order by t.id for no key update`);
  await tx.run(sql`select t.id from ${workspace.table(object.table)} t
    where t.id = any(${merged}::uuid[]) order by t.id for update`);
}
