/**
 * A row as a caller's request names it: names count against the statement's budget, and long expressions are written
 * once, in a lateral sub-select beside the row, and then used by alias.
 */
import type { FieldDef } from '../fields/field-def.ts';
import { computedOperand } from '../fields/operands.ts';
import type { Operand } from '../fields/operators/operator.ts';
import { empty, identifier, join, sql, trusted, type Sql } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import type { Budget } from './budget.ts';
import { sizeOfField, sizeOfName } from './measure.ts';
import type { ObjectScope } from './row-scope.ts';
import { splitPath } from './subject.ts';

export interface CallersScope extends ObjectScope {
  /** Counts each use of a name. Throws VALIDATION_ERROR when the budget is exceeded. */
  spend(name: string): void;
  /** Counts a condition that looks at other rows; false once PostgreSQL should no longer plan it as a join. */
  mayJoin(): boolean;
  /** `value` under an alias; the same name must mean the same value everywhere. */
  named(name: string, value: Sql): Sql;
  /** Appended to the row in `from` to define the aliases so far; empty without any. */
  readonly beside: Sql;
}

/** Shorter expressions are repeated: PostgreSQL plans them better beside their columns. */
const shortest = 30;

/** Planning time grows with the square of the joins: two hundred took a third of a second. */
const mostJoins = 8;

/** The scope of a row for a caller; `suffix` separates the aliases of several scopes beside the same row. */
export function callersScope<Scope extends ObjectScope>(
  scope: Scope,
  budget: Budget,
  suffix = 'named',
): Scope & CallersScope {
  const { object, context } = scope;
  const alias = `${scope.alias}_${suffix}`;
  const values = new Map<string, Sql>();
  const operands = new Map<string, Operand>();
  let joins = 0;
  const isLong = (field: FieldDef) =>
    field.calculation || field.rollup ? sizeOfField(context.model, object, field).parts > shortest : false;
  const named = (name: string, value: Sql) => {
    if (!values.has(name)) values.set(name, value);
    return sql`${trusted(alias)}.${identifier(name)}`;
  };
  return {
    ...scope,
    named,
    spend(name) {
      const [first, path] = splitPath(name);
      const field = path === undefined ? resolveAttribute(object, first) : undefined;
      const isThere = field !== undefined && isLong(field) && values.has(field.id);
      const size = isThere ? sizeOfName(context.model, object, 'id') : sizeOfName(context.model, object, name);
      budget.spend(name, size, context.visibility);
    },
    mayJoin: () => ++joins <= mostJoins,
    operand(fieldName) {
      const field = resolveAttribute(object, fieldName);
      if (!field || !isLong(field)) return scope.operand(fieldName);
      let operand = operands.get(field.id);
      if (!operand) {
        const { kind, value } = scope.operand(fieldName);
        operands.set(field.id, (operand = computedOperand(kind, named(field.id, value))));
      }
      return operand;
    },
    get beside() {
      if (values.size === 0) return empty;
      const columns = [...values].map(([name, value]) => sql`${value} as ${identifier(name)}`);
      // The offset keeps PostgreSQL from inlining the value wherever its name is used.
      return sql` cross join lateral (select ${join(columns, ', ')} offset 0) ${trusted(alias)}`;
    },
  };
}
