/** The operators of a field type, as the service defines them (docs/rest/filters.md). */
import type { FilterCondition } from '../../../../client/index.js';
import type { Field, FieldType } from '../../api/workspace.ts';
import { valueTypeOf } from '../../values/shapes.ts';

export type Operator = FilterCondition['operator'];

const equality = ['equals', 'not_equals', 'in', 'not_in'] as const;
const comparisons = ['greater_than', 'less_than', 'greater_equal', 'less_equal', 'between'] as const;
const texts = ['contains', 'starts_with', 'ends_with', 'ilike'] as const;
const emptiness = ['is_empty', 'is_not_empty', 'is_null', 'is_not_null'] as const;
const days = [
  'date_equals',
  'date_before',
  'date_after',
  'date_between',
  'date_today',
  'date_this_week',
  'date_this_month',
] as const;

/** The kind of value that a condition compares with. */
export type Kind =
  | 'text'
  | 'number'
  | 'yes'
  | 'date'
  | 'option'
  | 'entry'
  | 'record'
  | 'user'
  | 'step'
  | 'pipeline'
  | 'none';

const kinds: Readonly<Record<FieldType, Kind>> = {
  TEXT: 'text',
  LONG_TEXT: 'text',
  RICH_TEXT: 'text',
  URL: 'text',
  EMAIL: 'text',
  ADDRESS: 'text',
  NUMBER: 'number',
  INTEGER: 'number',
  DECIMAL: 'number',
  PERCENT: 'number',
  RATING: 'number',
  DURATION: 'number',
  ELAPSED_TIME: 'number',
  CURRENCY: 'number',
  BOOLEAN: 'yes',
  DATE: 'date',
  DATETIME: 'date',
  DATE_RANGE: 'date',
  SELECT: 'option',
  MULTI_SELECT: 'option',
  EMAILS: 'entry',
  PHONES: 'entry',
  RELATION: 'record',
  DEPENDENT_RELATION: 'record',
  MORPH_RELATION: 'record',
  MANY_TO_MANY: 'record',
  USERS: 'user',
  PIPELINE: 'step',
  // Computed fields have the kind of their value type.
  CALCULATED: 'none',
  ROLLUP: 'none',
};

const taken: Readonly<Record<Kind, readonly Operator[]>> = {
  text: ['contains', ...equality, 'starts_with', 'ends_with', 'ilike', ...comparisons, ...emptiness],
  number: [
    'equals',
    'greater_than',
    'less_than',
    'greater_equal',
    'less_equal',
    'between',
    'not_equals',
    'in',
    'not_in',
    ...emptiness,
  ],
  yes: ['is_true', 'is_false', ...equality, ...emptiness],
  date: [...days, ...equality, ...comparisons, ...emptiness],
  option: ['in', 'not_in', 'equals', 'not_equals', ...texts, ...emptiness],
  entry: ['contains', ...equality, 'starts_with', 'ends_with', 'ilike', ...emptiness],
  record: ['in', 'not_in', 'equals', 'not_equals', ...emptiness],
  user: ['in', 'not_in', 'equals', 'not_equals', ...emptiness],
  step: ['in', 'not_in', 'equals', 'not_equals', ...emptiness],
  pipeline: ['in', 'not_in', 'equals', 'not_equals', ...emptiness],
  none: emptiness,
};

/** The kind of a field's values. */
export function kindOf(field: Pick<Field, 'type' | 'valueType'>): Kind {
  return kinds[valueTypeOf(field)];
}

/** The operators of a kind, the default first. */
export function operatorsOf(kind: Kind): readonly Operator[] {
  return taken[kind];
}

/** The number of values that an operator takes. */
export function valuesOf(operator: Operator): 'none' | 'one' | 'two' | 'many' {
  if (/^is_|^date_(today|this_)/.test(operator)) return 'none';
  if (operator === 'between' || operator === 'date_between') return 'two';
  return operator === 'in' || operator === 'not_in' ? 'many' : 'one';
}
