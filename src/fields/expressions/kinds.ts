/** Kinds of values in an expression, and their conversion. */
import { literal, sql, trusted } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import { boundedDay, boundedText } from '../bounds.ts';
import type { FilterContext, Operand, OperandKind } from '../operators/operator.ts';

/** `null` is the constant, which fits every kind. */
export type ValueKind = OperandKind | 'null';

export interface Typed extends Pick<Operand, 'value' | 'key'> {
  readonly kind: ValueKind;
}

/** Kinds that are computed without conversion, and their SQL types. */
const sqlTypes = {
  text: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  id: 'uuid',
} as const;

export type PlainKind = keyof typeof sqlTypes;

/** The kind's name in error messages. */
export function called(kind: ValueKind): string {
  const words: Partial<Record<ValueKind, string>> = { option: 'text', datetime: 'time', id: "record's id" };
  if (kind === 'options' || kind === 'values' || kind === 'links' || kind === 'none') return 'list';
  return words[kind] ?? kind;
}

/**
 * The common kind of several values: a time next to a date counts as a day. A null fits all; undefined where they
 * differ.
 */
export function commonKind(kinds: readonly ValueKind[]): PlainKind | 'null' | undefined {
  const different = new Set(kinds.filter((kind) => kind !== 'null').map((kind) => (kind === 'option' ? 'text' : kind)));
  const [first = 'null', ...more] = different;
  if (more.length === 0) return first === 'null' || isPlain(first) ? first : undefined;
  return [...different].every((kind) => kind === 'date' || kind === 'datetime') ? 'date' : undefined;
}

/** The value converted to `wanted`; undefined where that is impossible. */
export function asKind({ kind, value }: Typed, wanted: PlainKind, clock: FilterContext): Sql | undefined {
  if (kind === 'null') return sql`null::${trusted(sqlTypes[wanted])}`;
  if (wanted === 'text') return textOf(kind, value);
  if (wanted === 'date' && kind === 'datetime') {
    return boundedDay(sql`(${value} at time zone ${literal(clock.timeZone)})::date`);
  }
  if (kind !== wanted) return undefined;
  return kind === 'number' ? sql`(${value})::numeric` : value;
}

/** A value as text; undefined for lists. These to_char patterns depend on no setting. */
function textOf(kind: OperandKind, value: Sql): Sql | undefined {
  switch (kind) {
    case 'text':
      return boundedText(value);
    case 'option':
      return value;
    case 'number':
    case 'boolean':
    case 'id':
      return sql`(${value})::text`;
    case 'date':
      return sql`to_char(${value}, 'YYYY-MM-DD')`;
    case 'datetime':
      return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    default:
      return undefined;
  }
}

function isPlain(kind: string): kind is PlainKind {
  return Object.hasOwn(sqlTypes, kind);
}
