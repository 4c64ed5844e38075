/**
 * The version of everything that a statement reads, as its common table `s`: cached results of an older version are
 * evaluated again.
 */
import { sql, type Sql } from '../postgres/sql.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';

/** One row: the summed `version` of every object read by the scope so far, and the `rows` of its own object. */
export function stateOf({ context, object, reads }: ObjectScope): Sql {
  return sql`select coalesce(sum(version), 0) as version,
      coalesce(sum(rows) filter (where object_id = ${object.id}::uuid), 0) as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${[...reads].toSorted()}::uuid[])`;
}

/** A condition evaluated once: when false, PostgreSQL reads no row. */
export function changedSince(version: string | undefined): Sql {
  return sql`(select version from s) is distinct from ${version ?? null}::numeric`;
}
