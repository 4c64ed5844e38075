/**
 * The version of everything that a statement reads, as its common table `s`: cached results of an older version are
 * evaluated again.
 */
import type { ObjectDef } from '../model/model.ts';
import { empty, sql, type Sql } from '../postgres/sql.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';

/**
 * Added to each sum: the microsecond in which the server started. After a failover or a restore that lost commits, the
 * same sums are reached again by other writes.
 */
const sinceStart = sql`trunc(extract(epoch from pg_postmaster_start_time()) * 1000000) * 1000000000000`;

const summed = (only: Sql) => sql`${sinceStart} + coalesce(sum(version)${only}, 0)`;

/** One row: the summed `version` of every object read by the scope so far, and the `rows` of its own object. */
export function stateOf({ context, object, reads }: ObjectScope): Sql {
  return sql`select ${summed(empty)} as version, ${rowCount(object)} as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${[...reads].toSorted()}::uuid[])`;
}

/** As `stateOf`, with `text_version`: the sum over these and the objects `shownObjects`, which the shown values read. */
export function stateWithShown({ context, object, reads }: ObjectScope, shownObjects: ReadonlySet<string>): Sql {
  return sql`select ${summed(sql` filter (where object_id = any(${[...reads].toSorted()}::uuid[]))`)} as version,
      ${summed(empty)} as text_version, ${rowCount(object)} as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${[...reads.union(shownObjects)].toSorted()}::uuid[])`;
}

function rowCount({ id }: ObjectDef): Sql {
  return sql`coalesce(sum(rows) filter (where object_id = ${id}::uuid), 0)`;
}

/** A condition evaluated once: when false, PostgreSQL reads no row. */
export function changedSince(version: string | undefined): Sql {
  return sql`(select version from s) is distinct from ${version ?? null}::numeric`;
}

/** A condition evaluated once: whether a text of that version is no longer current; needs `stateWithShown`. */
export function textChangedSince(version: string | undefined): Sql {
  return sql`(select text_version from s) is distinct from ${version ?? null}::numeric`;
}
