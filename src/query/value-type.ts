/** The type of a computed field's values, as far as the metadata determines it. */
import type { AggregateName } from '../fields/aggregates.ts';
import type { FieldDef, FieldTypeName } from '../fields/field-def.ts';
import type { Model } from '../model/model.ts';
import { resolveAttribute } from './attributes.ts';

/** Functions whose result has one type, whatever the field. */
const ofOneType: Partial<Readonly<Record<AggregateName, FieldTypeName>>> = {
  COUNT: 'INTEGER',
  COUNT_DISTINCT: 'INTEGER',
  COUNT_NULL: 'INTEGER',
  COUNT_TRUE: 'INTEGER',
  COUNT_FALSE: 'INTEGER',
  PERCENT_FILLED: 'PERCENT',
  PERCENT_EMPTY: 'PERCENT',
  PERCENT_TRUE: 'PERCENT',
  PERCENT_FALSE: 'PERCENT',
  STDDEV: 'NUMBER',
  VARIANCE: 'NUMBER',
  AVG_LENGTH: 'NUMBER',
};

/** Functions whose result over whole numbers may be fractional. */
const between: ReadonlySet<string> = new Set<AggregateName>(['AVG', 'MEDIAN']);
const whole: ReadonlySet<FieldTypeName> = new Set(['INTEGER', 'RATING']);
/** Differences of dates are days, of times seconds. */
const differences: Partial<Readonly<Record<FieldTypeName, FieldTypeName>>> = { DATE: 'INTEGER', DATETIME: 'DURATION' };

/** The type of a CALCULATED or ROLLUP field's values, undefined for any other field. Amounts are CURRENCY, and plain numbers. */
export function valueTypeOf(model: Model, { calculation, rollup }: FieldDef): FieldTypeName | undefined {
  if (calculation) return calculation.outputType;
  if (!rollup) return undefined;
  const fixed = ofOneType[rollup.function as AggregateName];
  const target = model.objects.get(rollup.objectName);
  const source = target && rollup.field !== undefined ? resolveAttribute(target, rollup.field) : undefined;
  if (fixed || !source) return fixed ?? 'NUMBER';
  const type = valueTypeOf(model, source) ?? source.type;
  if (rollup.function === 'RANGE') return differences[type] ?? type;
  return between.has(rollup.function) && whole.has(type) ? 'NUMBER' : type;
}
