/** Counts records of several kinds in one statement, over the rows that the caller may see. */
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, join, sql, statement, type Statement } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import { objectScope } from './object-scope.ts';
import { alias, conditionsOf, rowsOf, type Criteria } from './plan.ts';
import { compileFilter } from './where.ts';

export interface TallyPlan {
  readonly statement: Statement;
  /** The number of records of each kind, in the requested order. */
  read(rows: readonly Row[]): readonly number[];
}

/** Plans the counts of those records of `criteria` that match each filter. Throws as a filter of the caller does. */
export function planTally(
  context: QueryContext,
  object: ObjectDef,
  criteria: Criteria,
  kinds: readonly FilterGroup[],
): TallyPlan {
  const scope = callersScope(objectScope(context, object, alias), new Budget());
  const conditions = conditionsOf(criteria, scope);
  const counts = kinds.map((kind) => sql`count(*) filter (where ${compileFilter(kind, scope)})`);
  const query = sql`select ${join(counts, ', ')} from ${rowsOf(scope)} where ${and(conditions)}`;
  return {
    statement: statement(query, context.model.version),
    read: ([row = []]) => kinds.map((_, at) => Number(row[at] ?? 0)),
  };
}
