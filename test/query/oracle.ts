/** Filters, sorts and searches said again in plain JavaScript: what the SQL is held against. */
import type { OperandKind, OperatorName } from '../../src/fields/operators/operator.ts';
import { normalise } from '../../src/fields/search-text.ts';
import type { Json } from '../../src/lib/json.ts';
import type { FilterCondition, FilterGroup } from '../../src/model/model.ts';
import type { SortKey } from '../../src/query/order.ts';
import { companyFields, now, thingFields, timeZone, type FieldSpec, type Stored } from './world.ts';

/** Another object's row as the filter's author sees it, or undefined. */
export type Follow = (id: Json) => Stored | undefined;

/** What a row has for a field: null, or text, number, boolean, or a list of texts. */
type Value = null | string | number | boolean | readonly string[];

/** `follow` finds the record that a path leads to. */
export function matches(group: FilterGroup, row: Stored, fields: readonly FieldSpec[], follow: Follow): boolean {
  const test = (part: FilterGroup | FilterCondition): boolean =>
    'conditions' in part ? matches(part, row, fields, follow) : holds(part, row, fields, follow);
  return group.type === 'AND' ? group.conditions.every(test) : group.conditions.some(test);
}

function holds(condition: FilterCondition, row: Stored, fields: readonly FieldSpec[], follow: Follow): boolean {
  const [name = '', path] = condition.field.split('.');
  const relation = row.values[name] ?? null;
  const there = path === undefined ? row : relation === null ? undefined : follow(relation);
  const spec = specOf(path ?? name, path === undefined ? fields : companyFields);
  const value = there ? valueOf(spec, there) : null;
  return compare(spec.kind, condition.operator as OperatorName, value, condition.value ?? null);
}

export function specOf(name: string, fields: readonly FieldSpec[]): FieldSpec {
  if (name === 'id') return { name, type: 'ID', kind: 'id', pool: [] };
  if (name === 'created_at') return { name, type: 'DATETIME', kind: 'datetime', pool: [] };
  const found = fields.find((field) => field.name === name);
  if (!found) throw new Error(`no field ${name}`);
  return found;
}

export function valueOf(spec: FieldSpec, row: Stored): Value {
  if (spec.name === 'id') return row.id;
  const value = spec.name === 'created_at' ? row.createdAt : (row.values[spec.name] ?? null);
  if (value === null) return null;
  if (spec.type === 'CURRENCY')
    return typeof value === 'object' && 'amount' in value ? Number(value.amount) : Number(value);
  if (Array.isArray(value)) return listOf(value);
  return typeof value === 'object' ? String(value) : value;
}

function listOf(value: Json): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function compare(kind: OperandKind, operator: OperatorName, value: Value, wanted: Json): boolean {
  switch (operator) {
    case 'not_equals':
      return !compare(kind, 'equals', value, wanted);
    case 'not_in':
      return !compare(kind, 'in', value, wanted);
    case 'is_null':
      return value === null || (kind === 'links' && isEmpty(value));
    case 'is_not_null':
      return !compare(kind, 'is_null', value, wanted);
    case 'is_empty':
      return value === null || isEmpty(value);
    case 'is_not_empty':
      return value !== null && !isEmpty(value);
    case 'is_true':
      return value === true;
    case 'is_false':
      return value === false;
    default:
  }
  if (value === null) return false;
  if (operator.startsWith('date_'))
    return onDays(operator, kind === 'datetime' ? berlinDay(String(value)) : String(value), wanted);
  const values = typeof value === 'object' ? value : [value];
  return values.some((item) => compareOne(kind, operator, item, wanted));
}

function isEmpty(value: Value): boolean {
  return value === '' || (typeof value === 'object' && value?.length === 0);
}

function compareOne(
  kind: OperandKind,
  operator: OperatorName,
  value: string | number | boolean,
  wanted: Json,
): boolean {
  const list = listWanted(wanted);
  const key = (item: Json) => ordinal(kind, item);
  const ordered = (item: Json) => byCodePoint(ordinal(kind, value, true), ordinal(kind, item, true));
  switch (operator) {
    case 'equals':
      return key(value) === key(wanted) || namesOption(kind, value, wanted);
    case 'in':
      return list.some((item) => key(value) === key(item) || namesOption(kind, value, item));
    case 'greater_than':
      return ordered(wanted) > 0;
    case 'greater_equal':
      return ordered(wanted) >= 0;
    case 'less_than':
      return ordered(wanted) < 0;
    case 'less_equal':
      return ordered(wanted) <= 0;
    case 'between':
      return ordered(list[0] ?? '') >= 0 && ordered(list[1] ?? '') <= 0;
    default:
      return candidates(kind, value).some((text) => matchesText(operator, text, String(wanted)));
  }
}

const labels: Readonly<Record<string, string>> = { red: 'Deep Red', green: 'Green', off_white: 'White, off' };

function namesOption(kind: OperandKind, value: string | number | boolean, wanted: Json): boolean {
  return (kind === 'option' || kind === 'options') && labels[String(value)] === wanted;
}

function candidates(kind: OperandKind, value: string | number | boolean): string[] {
  const text = String(value);
  return kind === 'option' || kind === 'options' ? [text, labels[text] ?? text] : [text];
}

function matchesText(operator: OperatorName, text: string, wanted: string): boolean {
  if (operator === 'contains') return text.toLowerCase().includes(wanted.toLowerCase());
  if (operator === 'starts_with') return text.startsWith(wanted);
  if (operator === 'ends_with') return text.endsWith(wanted);
  return like([...wanted.toLowerCase()], [...text.toLowerCase()]);
}

/** Which beginnings of the text the pattern so far matches: no backtracking, however many wildcards. */
function like(pattern: readonly string[], text: readonly string[]): boolean {
  let matched = [true, ...text.map(() => false)];
  for (let at = 0; at < pattern.length; at++) {
    const wildcard = pattern[at];
    const letter = wildcard === '\\' ? pattern[++at] : wildcard;
    const before = matched;
    if (wildcard === '%') matched = before.map((_, length) => before.slice(0, length + 1).includes(true));
    else
      matched = before.map((_, n) => n > 0 && before[n - 1] === true && (wildcard === '_' || letter === text[n - 1]));
  }
  return matched.at(-1) === true;
}

/** A list as the tests write it: an array, or text whose items are quoted where they need it. */
function listWanted(wanted: Json): readonly Json[] {
  if (Array.isArray(wanted)) return wanted;
  const items = String(wanted).match(/"(?:[^"]|"")*"|[^,]+/g) ?? [''];
  return items.map((item) => (item.startsWith('"') ? item.slice(1, -1).replaceAll('""', '"') : item.trim()));
}

function ordinal(kind: OperandKind, value: Json, folded = false): string | number {
  if (kind === 'number') return Number(value);
  if (kind === 'datetime') return Date.parse(String(value));
  const text = String(value);
  return kind === 'text' && folded ? asciiLower(text) : text;
}

export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function byCodePoint(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function onDays(operator: OperatorName, day: string, wanted: Json): boolean {
  const today = berlinDay(new Date(now).toISOString());
  const [from = '', to = ''] = listWanted(wanted).map(String);
  switch (operator) {
    case 'date_equals':
      return day === from;
    case 'date_before':
      return day < from;
    case 'date_after':
      return day > from;
    case 'date_between':
      return day >= from && day <= to;
    case 'date_today':
      return day === today;
    case 'date_this_month':
      return day.slice(0, 7) === today.slice(0, 7);
    default:
      return day >= '2026-05-25' && day <= '2026-05-31'; // the week of `now`
  }
}

function berlinDay(instant: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}

export function searchMatches(query: string, row: Stored, hidden: ReadonlySet<string>): boolean {
  const words = normalise(query)
    .split(' ')
    .filter((word) => word !== '');
  const searchable = thingFields.filter((field) => field.searchable && !hidden.has(field.name));
  const texts = searchable.flatMap((field) => {
    const value = row.values[field.name] ?? null;
    const text = normalise(Array.isArray(value) ? value.join(' ') : String(value ?? ''));
    return field.type === 'LONG_TEXT' ? text.slice(0, 2_000) : text;
  });
  return words.every((word) => texts.some((text) => text.includes(word)));
}

/** The rows in the order of `sort`: nulls last in both directions, ids break ties in the direction of the last key. */
export function sorted(rows: readonly Stored[], sort: readonly SortKey[], follow: Follow = () => undefined): Stored[] {
  const keys = sort.map(({ field, direction }) => {
    const [name = '', path] = field.split('.');
    const spec = specOf(path ?? name, path === undefined ? thingFields : companyFields);
    const valueIn = (row: Stored) => {
      const there = path === undefined ? row : follow(row.values[name] ?? null);
      return there ? sortValue(spec, valueOf(spec, there)) : null;
    };
    return { valueIn, sign: direction === 'asc' ? 1 : -1 };
  });
  const idSign = keys.at(-1)?.sign ?? 1;
  return rows.toSorted((a, b) => {
    for (const { valueIn, sign } of keys) {
      const [left, right] = [valueIn(a), valueIn(b)];
      if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1;
        continue;
      }
      const order = byCodePoint(left, right);
      if (order !== 0) return order * sign;
    }
    return (a.id < b.id ? -1 : 1) * idSign;
  });
}

function sortValue(spec: FieldSpec, value: Value): string | number | null {
  if (value === null || spec.kind === 'number' || spec.kind === 'boolean') return value === null ? null : Number(value);
  if (typeof value === 'object') return asciiLower(value[0] ?? '');
  if (spec.kind === 'text') return [...asciiLower(String(value))].slice(0, 256).join('');
  return ordinal(spec.kind, value);
}
