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
const summedOf = (objects: ReadonlySet<string>) => summed(sql` filter (where object_id = any(${idsOf(objects)}))`);
const idsOf = (objects: ReadonlySet<string>) => sql`${[...objects].toSorted()}::uuid[]`;

/** One row: the summed `version` of every object read by the scope so far, and the `rows` of its own object. */
export function stateOf({ context, object, reads }: ObjectScope): Sql {
  return sql`select ${summed(empty)} as version, ${rowCount(object)} as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${idsOf(reads)})`;
}

/**
 * As `stateOf`, with two further sums: `related_version` over the objects `related`, whose rows the conditions read beyond
 * the record, and `text_version` over the objects `shown`, whose rows the shown values read beyond it.
 */
export function stateOfList(
  { context, object, reads }: ObjectScope,
  related: ReadonlySet<string>,
  shown: ReadonlySet<string>,
): Sql {
  return sql`select ${summedOf(reads)} as version, ${summedOf(related)} as related_version,
      ${summedOf(shown)} as text_version, ${rowCount(object)} as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${idsOf(reads.union(shown))})`;
}

function rowCount({ id }: ObjectDef): Sql {
  return sql`coalesce(sum(rows) filter (where object_id = ${id}::uuid), 0)`;
}

/** A condition evaluated once: when false, PostgreSQL reads no row. */
export function changedSince(version: string | undefined): Sql {
  return sql`(select version from s) is distinct from ${version ?? null}::numeric`;
}
