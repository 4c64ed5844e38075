/** What filters and sorts see of a column, by kind of value. */
import { identifier, sql } from '../postgres/sql.ts';
import type { Sql } from '../postgres/sql.ts';
import type { FieldDef } from './field-def.ts';
import type { RowScope } from './field-type.ts';
import type { Operand, OperandKind } from './operators/operator.ts';

/** A column of the scope's row. */
export function columnOf(scope: RowScope, name: string): Sql {
  return sql`${scope.row}.${identifier(name)}`;
}

/** `value` must be of collation "C". Text sorts by lower case, then code point, by its first 256 characters. */
export function textOperand(value: Sql): Operand {
  return { kind: 'text', value, sort: { value: textOrder(value), type: 'text', nullable: true } };
}

/** What texts are sorted by: their first 256 characters in lower case, which an index has. */
export function textOrder(value: Sql): Sql {
  return sql`left(lower(${value}), 256)`;
}

/** A number of this type of PostgreSQL, which may be null. */
export function numberOperand(value: Sql, type: 'numeric' | 'bigint'): Operand {
  return { kind: 'number', value, sort: { value, type, nullable: true } };
}

/** A truth value, which may be null. */
export function booleanOperand(value: Sql): Operand {
  return { kind: 'boolean', value, sort: { value, type: 'boolean', nullable: true } };
}

/** A day, which may be null. */
export function dateOperand(value: Sql): Operand {
  return { kind: 'date', value, sort: { value, type: 'date', nullable: true } };
}

/** The stamps of a record itself are never null, and a sort need not look for nulls. */
export function datetimeOperand(value: Sql, field?: FieldDef): Operand {
  const nullable = field === undefined || !isStamp(field);
  return { kind: 'datetime', value, sort: { value, type: 'timestamptz', nullable } };
}

/** Whether the field is `created_at` or `updated_at`. */
export function isStamp({ name, isReadonly }: FieldDef): boolean {
  return isReadonly && (name === 'created_at' || name === 'updated_at');
}

/** Ids sort by themselves: rows of one target stand together, in no order that has a meaning. */
export function idOperand(value: Sql, nullable = true): Operand {
  return { kind: 'id', value, sort: { value, type: 'uuid', nullable } };
}

/** A value that is computed, as an operand of its kind; text must be of collation "C". */
export function computedOperand(kind: OperandKind, value: Sql): Operand {
  switch (kind) {
    case 'text':
      return textOperand(value);
    case 'number':
      return numberOperand(value, 'numeric');
    case 'boolean':
      return booleanOperand(value);
    case 'date':
      return dateOperand(value);
    case 'datetime':
      return datetimeOperand(value);
    default:
      return idOperand(value);
  }
}
