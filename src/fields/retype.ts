/**
 * The type changes of a field that keep its values: a lossless cast of its one column. Any other change needs a new
 * field. As text, a value is its JSON without quotes.
 */
import { join, literal, sql, trusted } from '../postgres/sql.ts';
import type { Sql } from '../postgres/sql.ts';
import { instantText } from './types/datetime.ts';
import type { FieldDef, FieldTypeName } from './field-def.ts';
import { maxText } from './types/text.ts';

/** Expressions over the old column without parameters, so that they can be part of DDL. */
export interface Retyping {
  /** For `alter column … type … using`; absent where the column stays unchanged. */
  readonly using?: Sql;
  /** True for a value that the new type cannot hold: any such value prevents the change. */
  readonly unfit?: Sql;
}

interface Change {
  readonly column: Sql;
  readonly to: FieldDef;
  /** IANA time zone, in which days begin. */
  readonly timeZone: string;
}

type Conversion = (change: Change) => Retyping;

const asItIs: Conversion = () => ({});
const asNumeric: Conversion = ({ column }) => ({ using: sql`${column}::numeric` });
const asBigint: Conversion = ({ column }) => ({
  using: sql`${column}::bigint`,
  unfit: sql`(${column} <> trunc(${column}) or abs(${column}) > 9223372036854775807)`,
});
const asRating: Conversion = ({ column }) => ({
  using: sql`${column}::bigint`,
  unfit: sql`(${column} <> trunc(${column}) or ${column} < 0 or ${column} > 5)`,
});
const asText: Conversion = ({ column }) => ({ unfit: sql`length(${column}) > ${trusted(String(maxText))}` });
const asOption: Conversion = ({ column, to }) => ({ unfit: noOption(column, to) });
const asOptions: Conversion = ({ column, to }) => ({
  using: sql`case when ${column} is not null then array[${column}] end`,
  unfit: noOption(column, to),
});
const toText: Conversion = ({ column }) => ({ using: sql`${column}::text` });
const dayToText: Conversion = ({ column }) => ({ using: sql`to_char(${column}, 'YYYY-MM-DD')` });
const instantToText: Conversion = ({ column }) => ({ using: instantText(column) });
const asInstant: Conversion = ({ column, timeZone }) => ({
  using: sql`${column}::timestamp at time zone ${literal(timeZone)}`,
});

function noOption(column: Sql, { options }: FieldDef): Sql {
  const values = (options ?? []).map((option) => literal(option.value));
  return values.length === 0 ? sql`${column} is not null` : sql`${column} not in (${join(values, ', ')})`;
}

const numeric = { NUMBER: asItIs, DECIMAL: asItIs, PERCENT: asItIs, DURATION: asItIs, ELAPSED_TIME: asItIs };
const texts = { TEXT: toText, LONG_TEXT: toText };
const fromNumeric = { ...numeric, ...texts, INTEGER: asBigint, RATING: asRating };
const fromBigint = {
  NUMBER: asNumeric,
  DECIMAL: asNumeric,
  PERCENT: asNumeric,
  DURATION: asNumeric,
  ELAPSED_TIME: asNumeric,
  ...texts,
};

const conversions: Partial<Record<FieldTypeName, Partial<Record<FieldTypeName, Conversion>>>> = {
  TEXT: { LONG_TEXT: asItIs, SELECT: asOption },
  LONG_TEXT: { TEXT: asText },
  URL: { TEXT: asItIs, LONG_TEXT: asItIs },
  EMAIL: { TEXT: asItIs, LONG_TEXT: asItIs },
  SELECT: { TEXT: asItIs, LONG_TEXT: asItIs, MULTI_SELECT: asOptions },
  NUMBER: fromNumeric,
  DECIMAL: fromNumeric,
  PERCENT: fromNumeric,
  DURATION: fromNumeric,
  ELAPSED_TIME: fromNumeric,
  INTEGER: { ...fromBigint, RATING: asRating },
  RATING: { ...fromBigint, INTEGER: asItIs },
  BOOLEAN: texts,
  DATE: { DATETIME: asInstant, TEXT: dayToText, LONG_TEXT: dayToText },
  DATETIME: { TEXT: instantToText, LONG_TEXT: instantToText },
  RELATION: { DEPENDENT_RELATION: asItIs },
  DEPENDENT_RELATION: { RELATION: asItIs },
};

/**
 * The conversion from `from` to `to`, whose types differ; undefined where values would be lost. `column` is the
 * stored column.
 */
export function retyping(from: FieldDef, to: FieldDef, column: Sql, timeZone: string): Retyping | undefined {
  const sameTarget =
    from.relationConfig?.relationType === to.relationConfig?.relationType &&
    from.relationConfig?.targetObjectName === to.relationConfig?.targetObjectName;
  return sameTarget ? conversions[from.type]?.[to.type]?.({ column, to, timeZone }) : undefined;
}
