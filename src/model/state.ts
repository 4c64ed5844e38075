/**
 * The stored state of an object's records: their number, and a version that every change of what they show increments,
 * the new name of a person, too. Writes of internal objects increment it where they change a total.
 */
import { empty, identifier, sql, type Sql } from '../postgres/sql.ts';
import type { ObjectDef } from './model.ts';

// Each backend counts in its own bucket, so that writers rarely wait for each other; readers take the sum.
const ownBucket = sql`pg_backend_pid() % 64`;

/**
 * Adds `rows` to the record count of `objectId`, once per row of `from`, and increments the version, which
 * invalidates caches. Do it last in a transaction: the row is contended.
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

/** Increments the versions of several objects; their record counts stay. */
export function raiseVersions(schema: string, objects: Iterable<Pick<ObjectDef, 'id'>>): Sql {
  // Always in the same order, to avoid deadlocks.
  const ids = Array.from(objects, ({ id }) => id).toSorted();
  return raiseState(schema, sql`o.id`, sql`0`, { from: sql`from unnest(${ids}::uuid[]) o (id)` });
}
