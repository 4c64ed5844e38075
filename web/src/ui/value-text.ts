/** A value of any type as text, for samples, comparisons and past values. Cells and fields of records have their own display. */
import type { Field } from '../api/workspace.ts';
import type { Formats } from '../i18n/formats.ts';
import { optionAt, optionLabel } from '../values/options.ts';
import { valueTypeOf } from '../values/shapes.ts';

/** Longest text shown of one value. */
const longest = 2_000;

type Described = Pick<Field, 'type' | 'valueType' | 'options'>;

/** The value as one line of text; '' if it is empty. */
export function valueText(value: unknown, formats: Formats, field?: Described): string {
  return textOf(value, formats, field).slice(0, longest);
}

function textOf(value: unknown, formats: Formats, field?: Described): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) return value.map((item) => textOf(item, formats, field)).join(', ');
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (typeof value === 'number') return formats.number(value);
  if (typeof value === 'object') return partsOf(value as Record<string, unknown>, formats);
  const text = String(value);
  if (field && optionAt(field, text) >= 0) return optionLabel(field, text);
  const type = field && valueTypeOf(field);
  if (type === 'DATE' && /^\d{4}-\d\d-\d\d$/.test(text)) return formats.day(text);
  if (type === 'DATETIME' && /^\d{4}-\d\d-\d\dT/.test(text)) return formats.moment(text);
  return text;
}

function partsOf(value: Record<string, unknown>, formats: Formats): string {
  const { amount, currency, start, end } = value;
  if (typeof currency === 'string' && (typeof amount === 'number' || typeof amount === 'string'))
    return formats.money(amount, currency);
  if (typeof start === 'string') return `${formats.day(start)} – ${typeof end === 'string' ? formats.day(end) : ''}`;
  const named = ['display', 'formatted', 'email', 'phone', 'label', 'name', 'text', 'file_name']
    .map((key) => value[key])
    .find((part) => typeof part === 'string' && part !== '');
  if (typeof named === 'string') return named;
  return Object.values(value)
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(', ');
}
