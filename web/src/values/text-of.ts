/** Values as text: for copying, screen readers and titles. */
import type { Field, FieldType, KithRecord } from '../api/workspace.ts';
import type { Formats } from '../i18n/formats.ts';
import { optionLabel } from './options.ts';
import {
  addressLines,
  choicesIn,
  entriesIn,
  isObject,
  isRef,
  moneyIn,
  numberIn,
  plainOf,
  rangeIn,
  refsOf,
  textIn,
  valueTypeOf,
} from './shapes.ts';

type Writing = (value: unknown, formats: Formats, field: Field) => string;

const number: Writing = (value, formats) => {
  const found = numberIn(value);
  return found === undefined ? '' : formats.number(found);
};
const text: Writing = (value) => textIn(value) ?? '';
const entries: Writing = (value) =>
  entriesIn(value)
    .map((entry) => entry.text)
    .join(', ');
const seconds: Writing = (value, formats) => {
  const found = numberIn(value);
  return found === undefined ? '' : formats.duration(Number(found));
};
const choices: Writing = (value, formats, field) =>
  formats.list(choicesIn(value).map((choice) => optionLabel(field, choice)));

/** Types without a format of their own: their values are formatted by shape. */
type Shaped =
  | 'RELATION'
  | 'DEPENDENT_RELATION'
  | 'MORPH_RELATION'
  | 'MANY_TO_MANY'
  | 'USERS'
  | 'PIPELINE'
  | 'CALCULATED'
  | 'ROLLUP';

type Writings = Readonly<Record<Exclude<FieldType, Shaped>, Writing>>;

const writings: Writings & { readonly [Type in Shaped]?: undefined } = {
  TEXT: text,
  LONG_TEXT: text,
  RICH_TEXT: (value) => plainOf(textIn(value) ?? ''),
  EMAIL: text,
  URL: text,
  NUMBER: number,
  INTEGER: number,
  DECIMAL: number,
  RATING: number,
  PERCENT: (value, formats) => (numberIn(value) === undefined ? '' : formats.percent(numberIn(value) ?? 0)),
  DURATION: seconds,
  ELAPSED_TIME: seconds,
  // In the form that spreadsheets take.
  BOOLEAN: (value) => (typeof value === 'boolean' ? String(value) : ''),
  DATE: (value, formats) => (textIn(value) === undefined ? '' : formats.day(String(value))),
  DATETIME: (value, formats) => (textIn(value) === undefined ? '' : formats.moment(String(value))),
  DATE_RANGE: (value, formats) => rangeText(value, formats),
  // A computed amount may be a plain number.
  CURRENCY: (value, formats, field) => moneyText(value, formats) || number(value, formats, field),
  SELECT: choices,
  MULTI_SELECT: choices,
  EMAILS: entries,
  PHONES: entries,
  ADDRESS: (value) => addressLines(value).join(', '),
};

/** The field's value as text in the reader's language; '' if it is empty. */
export function textOf(field: Field, record: KithRecord, formats: Formats): string {
  if (field.type === 'PIPELINE') return textIn(record['pipeline_step_id_display']) ?? '';
  if (isRef(field)) return formats.list(refsOf(field, record).flatMap(({ display }) => display ?? []));
  return valueText(field, record[field.name], formats);
}

/** The same for a value without its record, as in history. */
export function valueText(field: Field, value: unknown, formats: Formats): string {
  return (writings[valueTypeOf(field)] ?? computedText)(value, formats, field);
}

/** A value of unknown type, formatted by its shape. */
export function computedText(value: unknown, formats: Formats): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return formats.number(value);
  if (typeof value === 'string') return dateText(value, formats) ?? value;
  if (Array.isArray(value)) return formats.list(value.map((part) => computedText(part, formats)).filter(Boolean));
  if (!isObject(value)) return String(value);
  return (
    moneyText(value, formats) || rangeText(value, formats) || textIn(value['display']) || addressLines(value).join(', ')
  );
}

function dateText(value: string, formats: Formats): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formats.day(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? formats.moment(value) : undefined;
}

function moneyText(value: unknown, formats: Formats): string {
  const money = moneyIn(value);
  return money ? formats.money(money.amount, money.currency) : '';
}

function rangeText(value: unknown, formats: Formats): string {
  const range = rangeIn(value);
  if (!range) return '';
  const [start, end] = [range.start, range.end].map((day) => (day === null ? '' : formats.day(day)));
  return `${start} – ${end}`.trim();
}

const numeric = new Set(['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'CURRENCY', 'DURATION', 'ELAPSED_TIME']);

/** Whether the values are numbers: they are aligned to the end of a column and can be summed. */
export function isNumeric(field: Pick<Field, 'type' | 'valueType'>): boolean {
  return numeric.has(valueTypeOf(field));
}
