/**
 * The version of everything that a statement reads, as its common table `s`: cached results of an older version are
 * evaluated again.
 */
import type { ObjectDef } from '../model/model.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';

/** One row: the summed `version` of every object read by the scope so far, and the `rows` of its own object. */
export function stateOf({ context, object, reads }: ObjectScope): Sql {
  return sql`select coalesce(sum(version), 0) as version, ${rowsOf(object)} as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${[...reads].toSorted()}::uuid[])`;
}

/** As `stateOf`, with `text_version`: the summed version of the objects in `shown`, too. */
export function stateOfText({ context, object, reads }: ObjectScope, shown: ReadonlySet<string>): Sql {
  return sql`select coalesce(sum(version) filter (where object_id = any(${[...reads].toSorted()}::uuid[])), 0) as version,
      coalesce(sum(version), 0) as text_version, ${rowsOf(object)} as rows
    from ${tableOf(context.model, '_state')} where object_id = any(${[...reads.union(shown)].toSorted()}::uuid[])`;
}

function rowsOf({ id }: ObjectDef): Sql {
  return sql`coalesce(sum(rows) filter (where object_id = ${id}::uuid), 0)`;
}

/** A condition evaluated once: when false, PostgreSQL reads no row. */
export function changedSince(version: string | undefined): Sql {
  return sql`(select version from s) is distinct from ${version ?? null}::numeric`;
}

/** A condition evaluated once: whether a text of that version is no longer current; needs `stateOfText`. */
export function rewordedSince(version: string | undefined): Sql {
  return sql`(select text_version from s) is distinct from ${version ?? null}::numeric`;
}
