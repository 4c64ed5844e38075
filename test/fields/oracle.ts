/** What filters and sorts mean, said again in plain JavaScript over the JSON that was read. It shares no code with src/fields. */
import type { Option } from '../../src/fields/field-def.ts';
import type { OperandKind, OperatorName } from '../../src/fields/operators/operator.ts';
import type { Json } from '../../src/lib/json.ts';

export interface Subject {
  readonly kind: OperandKind;
  readonly options: readonly Option[];
  readonly key: string | undefined;
}

const negations: Partial<Record<OperatorName, OperatorName>> = {
  not_equals: 'equals',
  not_in: 'in',
  is_not_null: 'is_null',
};

/** Whether a row with this value is found. `read` is the JSON of the value. */
export function finds(
  subject: Subject,
  operator: OperatorName,
  read: Json,
  wanted: Json,
  timeZone: string,
  now: number,
): boolean {
  const positive = negations[operator];
  if (positive) return !finds(subject, positive, read, wanted, timeZone, now);
  const value = reduced(read);
  const isNull = value === null || (Array.isArray(value) && value.length === 0);
  if (operator === 'is_null') return isNull;
  if (operator === 'is_empty') return isNull || value === '';
  if (operator === 'is_not_empty') return !(isNull || value === '');
  if (isNull) return false;
  if (operator.startsWith('date_')) return inDays(operator, localDay(String(value), timeZone), wanted, timeZone, now);
  const texts = textsOf(subject, value);
  if (operator === 'is_true' || operator === 'is_false') return value === (operator === 'is_true');
  const list = Array.isArray(wanted)
    ? wanted.map(String)
    : operator === 'in' || operator === 'between'
      ? split(String(wanted))
      : [String(wanted)];
  const sought = list.map((item) => comparable(subject.kind, item, timeZone));
  const own = texts.map((text) => comparable(subject.kind, text, timeZone));
  const same = (a: Comparable, b: Comparable) => (subject.kind.startsWith('option') ? lower(a) === lower(b) : a === b);
  switch (operator) {
    case 'equals':
    case 'in':
      return sought.some((item) => own.some((text) => same(text, item)));
    case 'contains':
      return texts.some((text) => text.toLowerCase().includes(String(wanted).toLowerCase()));
    case 'starts_with':
      return texts.some((text) => text.startsWith(String(wanted)));
    case 'ends_with':
      return texts.some((text) => text.endsWith(String(wanted)));
    case 'ilike':
      return texts.some((text) => like([...text.toLowerCase()], [...String(wanted).toLowerCase()]));
    default: {
      const [from = 0, to = 0] = sought;
      const [mine = 0] = own;
      const order = compare(subject.kind, mine, from);
      if (operator === 'greater_than') return order > 0;
      if (operator === 'less_than') return order < 0;
      if (operator === 'greater_equal') return order >= 0;
      if (operator === 'less_equal') return order <= 0;
      return order >= 0 && compare(subject.kind, mine, to) <= 0;
    }
  }
}

/** The order of two values that are not null, as a sort has it. */
export function ordered(subject: Subject, a: Json, b: Json): number {
  const key = (read: Json): Comparable => {
    const value = reduced(read);
    const primary = Array.isArray(value)
      ? value.find((item) => typeof item === 'object' && item !== null && 'is_primary' in item && item.is_primary)
      : undefined;
    const text = primary !== undefined ? String((primary as Record<string, Json>)[subject.key ?? '']) : String(value);
    const isText = ['text', 'option', 'values'].includes(subject.kind);
    return isText ? [...asciiLower(text)].slice(0, 256).join('') : comparable(subject.kind, text, 'UTC');
  };
  const kind = ['option', 'values'].includes(subject.kind) ? 'text' : subject.kind;
  return compare(kind, key(a), key(b));
}

type Comparable = string | number;

/** The one part of a value that filters and sorts are about. */
function reduced(read: Json): Json {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return read;
  if ('amount' in read) return read.amount ?? null;
  if ('formatted' in read) return read.formatted ?? null;
  return read;
}

function textsOf({ kind, options, key }: Subject, value: Json): string[] {
  const items = Array.isArray(value) ? value : [value];
  if (kind === 'values') return items.map((item) => String((item as Record<string, Json>)[key ?? '']));
  if (kind === 'links') return items.map((item) => String((item as Record<string, Json>)['id']));
  if (!kind.startsWith('option')) return items.map(String);
  return items.flatMap((item) => [String(item), options.find((option) => option.value === item)?.label ?? '']);
}

function comparable(kind: OperandKind, text: string, timeZone: string): Comparable {
  if (kind === 'number') return Number(text);
  if (kind === 'datetime') return micros(text, timeZone);
  if (kind === 'id' || kind === 'links') return text.trim().toLowerCase();
  return text;
}

function compare(kind: OperandKind, a: Comparable, b: Comparable): number {
  if (kind === 'text') return Buffer.compare(Buffer.from(asciiLower(String(a))), Buffer.from(asciiLower(String(b))));
  return a < b ? -1 : a > b ? 1 : 0;
}

function lower(value: Comparable): string {
  return String(value).toLowerCase();
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function split(text: string): string[] {
  return [...text.matchAll(/(?:^|,)\s*(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare?.trim() ?? '');
}

function like([first, ...text]: string[], pattern: string[]): boolean {
  const [sign, ...rest] = pattern;
  if (sign === undefined) return first === undefined;
  if (sign === '%')
    return like(first === undefined ? [] : [first, ...text], rest) || (first !== undefined && like(text, pattern));
  if (first === undefined) return false;
  if (sign === '\\') return first === rest[0] && like(text, rest.slice(1));
  return (sign === '_' || sign === first) && like(text, rest);
}

/** Microseconds as one text that compares in order: local time is resolved by looking for the instant that reads so. */
function micros(text: string, timeZone: string): string {
  const [, whole = '', fraction = '', zone = ''] = /^(.{10}(?:T\d\d:\d\d:\d\d)?)(?:\.(\d+))?(Z?)$/.exec(text) ?? [];
  const asUtc = Date.parse(whole.length === 10 ? `${whole}T00:00:00Z` : `${whole}Z`);
  let millis = asUtc;
  if (zone === '') {
    const hours = Array.from({ length: 29 }, (_, i) => asUtc + (i - 14) * 3_600_000);
    millis =
      hours.find((candidate) => localText(candidate, timeZone) === new Date(asUtc).toISOString().slice(0, 19)) ??
      Number.NaN;
  }
  return `${new Date(millis).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}`;
}

function localText(millis: number, timeZone: string): string {
  return new Date(millis).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T').padStart(19, '0');
}

function localDay(value: string, timeZone: string): string {
  return value.length === 10 ? value : localText(Date.parse(value), timeZone).slice(0, 10);
}

function inDays(operator: OperatorName, day: string, wanted: Json, timeZone: string, now: number): boolean {
  const today = localText(now, timeZone).slice(0, 10);
  const days = (Array.isArray(wanted) ? wanted.map(String) : String(wanted).split(',')).map((text) =>
    localDay(text, timeZone),
  );
  const [from = '', to = ''] = days;
  const weekday = (new Date(today).getUTCDay() + 6) % 7;
  const shifted = (count: number) => new Date(Date.parse(today) + count * 86_400_000).toISOString().slice(0, 10);
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
    case 'date_this_week':
      return day >= shifted(-weekday) && day <= shifted(6 - weekday);
    default:
      return day.slice(0, 7) === today.slice(0, 7);
  }
}
