/** Aggregates and groups said again in plain JavaScript: what the SQL is held against. Numbers of the world have two decimals at most. */
import type { AggregateName } from '../../src/fields/aggregates.ts';
import type { Json } from '../../src/lib/json.ts';
import { asciiLower, byCodePoint, specOf, valueOf } from './oracle.ts';
import { companyFields, stepIds, thingFields, userName, users, type FieldSpec, type Stored } from './world.ts';

type Value = ReturnType<typeof valueOf>;
export type Visible = (id: Json) => Stored | undefined;

const optionOrder = ['red', 'green', 'off_white'];

export interface Column {
  readonly spec: FieldSpec;
  of(row: Stored): Value;
}

/** A field of a thing, or of the company that it points to. */
export function columnOf(name: string, visible: Visible): Column {
  const [field = '', path] = name.split('.');
  const spec = specOf(path ?? field, path === undefined ? thingFields : companyFields);
  return {
    spec,
    of(row) {
      if (path === undefined) return valueOf(spec, row);
      const company = visible(row.values[field] ?? null);
      return company ? valueOf(spec, company) : null;
    },
  };
}

/** The key of the row's group as text, null where it has no value. */
export function keyOf({ spec, of }: Column, row: Stored): string | null {
  const value = of(row);
  if (value === null) return null;
  if (spec.kind === 'values') return typeof value === 'object' ? (value[0] ?? null) : null;
  if (typeof value === 'object') return `{${optionOrder.filter((option) => value.includes(option)).join(',')}}`;
  return spec.kind === 'datetime' ? new Date(String(value)).toISOString() : String(value);
}

/** The key as aggregates show it. */
export function groupOf({ spec }: Column, key: string | null): unknown {
  if (key === null) return null;
  if (spec.kind === 'options') return key.slice(1, -1).split(',');
  return spec.kind === 'number' || spec.kind === 'boolean' ? JSON.parse(key) : key;
}

/** What groups are ordered by before their keys; null comes last. */
function rankOf({ spec }: Column, key: string, visible: Visible | undefined): readonly (string | number)[] | null {
  switch (spec.kind) {
    case 'number':
      return [Number(key)];
    case 'datetime':
      return [Date.parse(key)];
    case 'option':
      return [optionOrder.indexOf(key)];
    case 'options':
      return key
        .slice(1, -1)
        .split(',')
        .map((option) => optionOrder.indexOf(option));
    case 'text':
    case 'values':
      return [[...asciiLower(key)].slice(0, 256).join('')];
    case 'id':
      return idRank(spec, key, visible);
    default:
      return [key];
  }
}

function idRank({ name }: FieldSpec, key: string, visible: Visible | undefined): readonly (string | number)[] | null {
  if (name === 'phase') return [stepIds.indexOf(key)];
  if (!visible) return [key];
  if (name === 'owner') return [asciiLower(userName(users.indexOf(key)))];
  const label = name === 'company_id' ? visible(key)?.values['name'] : key;
  return typeof label === 'string' ? [[...asciiLower(label)].slice(0, 256).join('')] : null;
}

/** By rank, then key; null last. */
export function compareKeys(column: Column, a: string | null, b: string | null, visible: Visible | undefined): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const [left, right] = [rankOf(column, a, visible), rankOf(column, b, visible)];
  if (left === null || right === null) {
    if (left !== right) return left === null ? 1 : -1;
    return byCodePoint(a, b);
  }
  for (const [at, item] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = byCodePoint(item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length || byCodePoint(a, b);
}

export function aggregated(name: AggregateName, column: Column | undefined, rows: readonly Stored[]): unknown {
  if (!column) return rows.length;
  const { kind } = column.spec;
  const values = rows.map((row) => column.of(row));
  const present = values.filter((value) => value !== null && !(kind === 'links' && isEmpty(value)));
  const filled = present.filter((value) => !isEmpty(value));
  const numbers = present.map((value) => (kind === 'datetime' ? Date.parse(String(value)) : numberOf(kind, value)));
  const share = (count: number) => (rows.length === 0 ? null : Math.round((10_000 * count) / rows.length) / 100);
  switch (name) {
    case 'COUNT':
      return present.length;
    case 'COUNT_NULL':
      return rows.length - present.length;
    case 'COUNT_DISTINCT':
      return new Set(rows.map((row) => keyOf(column, row)).filter((key) => key !== null)).size;
    case 'PERCENT_FILLED':
      return share(filled.length);
    case 'PERCENT_EMPTY':
      return share(rows.length - filled.length);
    case 'COUNT_TRUE':
    case 'COUNT_FALSE':
      return present.filter((value) => value === (name === 'COUNT_TRUE')).length;
    case 'PERCENT_TRUE':
    case 'PERCENT_FALSE':
      return share(present.filter((value) => value === (name === 'PERCENT_TRUE')).length);
    case 'AVG_LENGTH':
      return mean(present.map((value) => [...String(value)].length));
    default:
      return numbers.length === 0
        ? null
        : overNumbers(
            name,
            kind,
            numbers.toSorted((a, b) => a - b),
          );
  }
}

function overNumbers(name: AggregateName, kind: string, sorted: readonly number[]): unknown {
  const [first = 0] = sorted;
  const last = sorted.at(-1) ?? 0;
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  const shown = (value: number) => {
    if (kind === 'date') return new Date(value).toISOString().slice(0, 10);
    return kind === 'datetime' ? new Date(value).toISOString() : value;
  };
  switch (name) {
    case 'MIN':
      return shown(first);
    case 'MAX':
      return shown(last);
    case 'MEDIAN':
      return kind === 'number' ? hundredths([low, high]) / 200 : shown(low);
    case 'RANGE':
      return kind === 'number'
        ? hundredths([last, -first]) / 100
        : (last - first) / (kind === 'date' ? 86_400_000 : 1_000);
    case 'SUM':
      return hundredths(sorted) / 100;
    case 'AVG':
      return mean(sorted);
    default:
      return deviation(name, sorted);
  }
}

/** Of a sample. */
function deviation(name: AggregateName, values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values) ?? 0;
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  return name === 'VARIANCE' ? variance : Math.sqrt(variance);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : hundredths(values) / 100 / values.length;
}

/** The sum in hundredths, without what floats lose on the way. */
function hundredths(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + BigInt(Math.round(value * 100)), 0n));
}

function numberOf(kind: string, value: Value): number {
  return kind === 'date' ? Date.parse(`${String(value)}T00:00:00Z`) : Number(value);
}

function isEmpty(value: Value): boolean {
  return value === null || value === '' || (typeof value === 'object' && value.length === 0);
}
