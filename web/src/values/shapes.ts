/** Readers for values as the service returns them; a value of another shape counts as empty. */
import type { Field, FieldType, KithRecord } from '../api/workspace.ts';

/** A record or user that a value refers to. */
export interface Ref {
  readonly id: string;
  /** Undefined if its object is not known. */
  readonly object: string | undefined;
  /** Null if it is in the trash or hidden from the reader. */
  readonly display: string | null;
  /** Fields of the link itself, as text. */
  readonly details: readonly string[];
}

export interface Money {
  readonly amount: number | string;
  readonly currency: string;
}

export interface Address {
  readonly street?: string | null;
  readonly street2?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly postal_code?: string | null;
  readonly country?: string | null;
  readonly formatted?: string | null;
}

/** An email address or phone number with its label. */
export interface Entry {
  readonly text: string;
  readonly label: string;
  readonly isPrimary: boolean;
}

export interface Range {
  readonly start: string | null;
  readonly end: string | null;
}

type Loose = Readonly<Record<string, unknown>>;

/** Whether it is a JSON object. */
export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The non-empty text, or undefined. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The number; as text if it has more digits than a JavaScript number keeps. */
export function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? value : undefined;
}

/** The value as money, or undefined. */
export function moneyIn(value: unknown): Money | undefined {
  if (!isObject(value)) return undefined;
  const amount = numberIn(value['amount']);
  const currency = textIn(value['currency']);
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

/** Email addresses or phone numbers, the primary one first. */
export function entriesIn(value: unknown): Entry[] {
  if (!Array.isArray(value)) return [];
  const entries = value.flatMap((one: unknown) => {
    const text = isObject(one) ? (textIn(one['email']) ?? textIn(one['phone'])) : textIn(one);
    if (text === undefined) return [];
    return [
      {
        text,
        label: (isObject(one) && textIn(one['label'])) || '',
        isPrimary: isObject(one) && one['is_primary'] === true,
      },
    ];
  });
  return entries.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
}

/** Option values, in order. */
export function choicesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
  return textIn(value) === undefined ? [] : [String(value)];
}

/** The value as a date range, or undefined. */
export function rangeIn(value: unknown): Range | undefined {
  if (!isObject(value)) return undefined;
  const [start, end] = [textIn(value['start']) ?? null, textIn(value['end']) ?? null];
  return start === null && end === null ? undefined : { start, end };
}

/** The lines of an address as on a letter. */
export function addressLines(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!isObject(value)) return [];
  const part = (name: keyof Address) => textIn(value[name]);
  const town = [part('city'), [part('state'), part('postal_code')].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');
  const lines = [part('street'), part('street2'), town, part('country')].filter((line): line is string =>
    Boolean(line),
  );
  return lines.length > 0 ? lines : [part('formatted')].filter((line): line is string => line !== undefined);
}

/** The type of the field's values; for a computed field, that of its result. */
export function valueTypeOf({ type, valueType }: Pick<Field, 'type' | 'valueType'>): FieldType {
  return valueType ?? type;
}

const refTypes = new Set(['RELATION', 'DEPENDENT_RELATION', 'MORPH_RELATION', 'MANY_TO_MANY', 'USERS']);

/** Whether the field refers to records or users. */
export function isRef({ type }: Pick<Field, 'type'>): boolean {
  return refTypes.has(type);
}

/** The records or users that the record's field refers to. */
export function refsOf(field: Field, record: Readonly<Record<string, unknown>>): Ref[] {
  const value = record[field.name];
  const target = field.type === 'USERS' ? undefined : field.relationConfig?.targetObjectName;
  if (Array.isArray(value)) return value.flatMap((one: unknown) => linked(one, target));
  const display = displayIn(record[`${field.name}_display`]);
  if (typeof value === 'string' && value !== '') return [{ id: value, object: target, display, details: [] }];
  if (!isObject(value) || textIn(value['id']) === undefined) return [];
  return [{ id: String(value['id']), object: textIn(value['object']) ?? target, display, details: [] }];
}

function linked(one: unknown, object: string | undefined): Ref[] {
  if (typeof one === 'string') return [{ id: one, object, display: null, details: [] }];
  if (!isObject(one) || textIn(one['id']) === undefined) return [];
  const { id, display, ...link } = one;
  const details = Object.values(link).filter((part): part is string => typeof part === 'string' && part !== '');
  return [{ id: String(id), object, display: displayIn(display), details }];
}

function displayIn(value: unknown): string | null {
  if (isObject(value)) return textIn(value['display']) ?? null;
  return textIn(value) ?? null;
}

/** Whether the field is empty. */
export function isEmpty(field: Field, record: KithRecord): boolean {
  const value = field.type === 'PIPELINE' ? record['pipeline_step_id'] : record[field.name];
  if (value === null || value === undefined || value === '') return true;
  return Array.isArray(value)
    ? value.length === 0
    : isObject(value) && Object.values(value).every((part) => part === null);
}

/** The http or https address of a text, or undefined; never one that could run code. */
export function hrefOf(text: string): string | undefined {
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) && !/^[^/:]+:\d+(\/|$)/.test(text) ? text : `https://${text}`;
  if (/\s/.test(address)) return undefined;
  try {
    const { protocol, hostname, href } = new URL(address);
    return /^https?:$/.test(protocol) && hostname.includes('.') ? href : undefined;
  } catch {
    return undefined;
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The plain text of HTML. */
export function plainOf(html: string): string {
  return html
    .replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/gi, '')
    .replace(/<br\s*\/?>|<\/(p|div|li|h[1-6]|tr|blockquote|pre)>/gi, '\n')
    .replace(/<\/?[a-z!][^>]*>/gi, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n+/g, '\n')
    .trim();
}
