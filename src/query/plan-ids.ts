/** The ids of records, for a change of all that match. */
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, sql, statement, type Statement } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import { objectScope } from './object-scope.ts';
import { alias, conditionsOf, rowsOf } from './plan.ts';

export interface IdsRequest {
  readonly most: number;
  /** Only ids greater than this one. */
  readonly after?: string | undefined;
  /** Only ids up to this one. */
  readonly until?: string | undefined;
  /** Only these. */
  readonly among?: readonly string[] | undefined;
}

export interface IdsPlan {
  readonly statement: Statement;
  /** In id order. */
  read(rows: readonly Row[]): readonly string[];
}

/** Plans the ids of the records that the caller sees and that match. Throws as a filter of the caller does. */
export function planIds(
  context: QueryContext,
  object: ObjectDef,
  where: readonly FilterGroup[],
  { most, after, until, among }: IdsRequest,
): IdsPlan {
  const scope = callersScope(objectScope(context, object, alias), new Budget());
  const conditions = [
    ...conditionsOf({ where }, scope),
    ...(after === undefined ? [] : [sql`${scope.row}.id > ${after}::uuid`]),
    ...(until === undefined ? [] : [sql`${scope.row}.id <= ${until}::uuid`]),
    ...(among === undefined ? [] : [sql`${scope.row}.id = any(${among}::uuid[])`]),
  ];
  const query = sql`select ${scope.row}.id from ${rowsOf(scope)} where ${and(conditions)}
    order by ${scope.row}.id limit ${most}::bigint`;
  return {
    statement: statement(query, context.model.version),
    read: (rows) => rows.map(([id]) => id ?? ''),
  };
}
