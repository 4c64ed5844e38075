/** What is remembered of an object's records: how many there are, and a version that every change of them raises. */
import { empty, identifier, sql, type Sql } from '../postgres/sql.ts';
import type { ObjectDef } from './model.ts';

// Each backend counts in a bucket of its own, so that writers seldom wait for one another; readers take the sum.
const ownBucket = sql`pg_backend_pid() % 64`;

/**
 * Adds `rows` to the number of records of `objectId`, once per row of `from`, and raises the version. What was remembered
 * under the old one does not count any more. It comes last in a transaction: this is the row that others wait for.
 */
export function raiseState(
  schema: string,
  objectId: Sql,
  rows: Sql,
  { from = empty, bucket = ownBucket }: { readonly from?: Sql; readonly bucket?: Sql } = {},
): Sql {
  return sql`insert into ${identifier(schema, '_state')} as s (object_id, bucket, rows, version)
    select ${objectId}, ${bucket}, ${rows}, 1 ${from}
    on conflict (object_id, bucket) do update set rows = s.rows + excluded.rows, version = s.version + 1`;
}

/** Raises the versions of several objects, of which the numbers of records stay as they are. */
export function raiseVersions(schema: string, objects: Iterable<ObjectDef>): Sql {
  // In one order for all, so that two who raise several do not wait for each other.
  const ids = Array.from(objects, ({ id }) => id).toSorted();
  return raiseState(schema, sql`o.id`, sql`0`, { from: sql`from unnest(${ids}::uuid[]) o (id)` });
}
