/**
 * A row as a caller's words speak of it: what they name counts against the statement's budget, and what is long to write is
 * written once, in a sub-select beside the row, and goes by a name from then on.
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
  /** Counts a name that the caller may use, each time that it stands somewhere. Throws VALIDATION_ERROR when it is too much. */
  spend(name: string): void;
  /** Counts a condition that looks at other rows: false once PostgreSQL should not plan it as a join. */
  mayJoin(): boolean;
  /** `value`, which stands for the same under that name everywhere. */
  named(name: string, value: Sql): Sql;
  /** What follows the row in `from`, so that the names so far have values; empty where there are none. */
  readonly beside: Sql;
}

/** What is shorter is repeated: PostgreSQL plans it better beside the columns that it is made of. */
const shortest = 30;

/** The time to plan joins grows with their square: two hundred took a third of a second. */
const mostJoins = 8;

/** `suffix` tells apart what several scopes name beside the same row. */
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
      // The offset keeps PostgreSQL from writing the value back into every place of its name.
      return sql` cross join lateral (select ${join(columns, ', ')} offset 0) ${trusted(alias)}`;
    },
  };
}
