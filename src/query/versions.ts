/** The version of all that a statement reads, as its `s`: what is remembered of an older one is evaluated again. */
import { sql, type Sql } from '../postgres/sql.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';

/** One row: the summed `version` of every object that was read for the scope so far, and the `rows` of its own. */
export function stateOf({ context, object, reads }: ObjectScope): Sql {
  return sql`select coalesce(sum(version), 0) as version,
      coalesce(sum(rows) filter (where object_id = ${object.id}::uuid), 0) as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${[...reads].toSorted()}::uuid[])`;
}

/** A condition that is looked at once: false keeps PostgreSQL from reading any row. */
export function changedSince(version: string | undefined): Sql {
  return sql`(select version from s) is distinct from ${version ?? null}::numeric`;
}
