/** Merges of one organization take turns: each locks records of several objects, which two could do in opposite orders. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';

/** Tells the lock of merges from others of the database. */
const mergeLock = 721_546_003;

/** Waits for merges that are under way, and holds off the next until the end of the transaction. */
export async function takeTurn({ model }: Call, tx: WorkspaceTransaction): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${mergeLock}::integer, hashtext(${model.organizationId}))`);
}

/** Ids by object. */
export type RecordsByObject = ReadonlyMap<ObjectDef, ReadonlySet<string>>;

/**
 * Locks all of `records`, those of `merged` among them, and says which there are. First against changes, which leaves those alone
 * who only point at them: whoever changes a record holds that first, and then what it points at. Then `merged` against those, too.
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
