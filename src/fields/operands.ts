/** Operands of columns for filters and sorts, by kind of value. */
import { identifier, sql } from '../postgres/sql.ts';
import type { Sql } from '../postgres/sql.ts';
import type { FieldDef } from './field-def.ts';
import type { RowScope } from './field-type.ts';
import type { Operand, OperandKind } from './operators/operator.ts';

/** A column of the scope's row. */
export function columnOf(scope: RowScope, name: string): Sql {
  return sql`${scope.row}.${identifier(name)}`;
}

/** `value` must have collation "C". Text sorts by its first 256 characters: by lower case, then code point. */
export function textOperand(value: Sql): Operand {
  return { kind: 'text', value, sort: { value: textOrder(value), type: 'text', nullable: true } };
}

/** The sort expression of texts, their first 256 characters in lower case; has an index. */
export function textOrder(value: Sql): Sql {
  return sql`left(lower(${value}), 256)`;
}

/** A nullable number of this PostgreSQL type. */
export function numberOperand(value: Sql, type: 'numeric' | 'bigint'): Operand {
  return { kind: 'number', value, sort: { value, type, nullable: true } };
}

/** A nullable boolean. */
export function booleanOperand(value: Sql): Operand {
  return { kind: 'boolean', value, sort: { value, type: 'boolean', nullable: true } };
}

/** A nullable day. */
export function dateOperand(value: Sql): Operand {
  return { kind: 'date', value, sort: { value, type: 'date', nullable: true } };
}

/** A record's own timestamps are never null, so a sort needs no case for nulls. */
export function datetimeOperand(value: Sql, field?: FieldDef): Operand {
  const nullable = field === undefined || !isStamp(field);
  return { kind: 'datetime', value, sort: { value, type: 'timestamptz', nullable } };
}

/** Whether the field is `created_at` or `updated_at`. */
export function isStamp({ name, isReadonly }: FieldDef): boolean {
  return isReadonly && (name === 'created_at' || name === 'updated_at');
}

/** Ids sort by themselves: this groups rows by target, in no meaningful order. */
export function idOperand(value: Sql, nullable = true): Operand {
  return { kind: 'id', value, sort: { value, type: 'uuid', nullable } };
}

/** A computed value as an operand of its kind; text must have collation "C". */
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
