/** The fields by which records are compared, and their values. [spec: Duplicates] */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { errors, quoted } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Reading } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import { isObject, parseJson } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { attributeFor, visibleAttributes } from '../../query/attributes.ts';
import { readScope } from '../../query/read-scope.ts';

/** Fields per request. */
const mostFields = 20;

/** TEXT fields with these names are compared by default. */
const nameFields: ReadonlySet<string> = new Set(['name', 'full_name', 'company_name']);

/** The requested fields, or those that identify records. Throws INVALID_FIELD, VALIDATION_ERROR. */
export function comparedFields(
  call: Call,
  object: ObjectDef,
  names: readonly string[] | undefined,
): readonly FieldDef[] {
  if (names && names.length > mostFields) throw errors.validation(`fields takes at most ${mostFields} names`);
  if (names && names.length > 0) return [...new Set(names)].map((name) => comparable(call, object, name));
  const visible = visibleAttributes(object, call.visibility);
  const inferred = visible.filter(isTelling);
  return inferred.length > 0 ? inferred : visible.filter(({ name }) => name === 'name');
}

/**
 * Whether the field identifies records: addresses and numbers, single or sets; LinkedIn; names, including calculated
 * ones.
 */
function isTelling({ type, name, calculation }: FieldDef): boolean {
  if (type === 'EMAIL' || type === 'EMAILS' || type === 'PHONES') return true;
  if (type === 'URL') return name.includes('linkedin');
  return nameFields.has(name) && (type === 'TEXT' || calculation?.outputType === 'TEXT');
}

function comparable(call: Call, object: ObjectDef, name: string): FieldDef {
  const field = attributeFor(object, name, call.visibility);
  const type = fieldType(field.type);
  const isOthers = field.linkTable !== undefined || type.detailOnly?.(field) === true;
  if (type.isLong !== true && !isOthers) return field;
  const what = isOthers ? 'holds other records' : 'holds texts that may be pages long';
  throw errors.validation(`Records are not compared by ${quoted(name)}: it ${what}`, [
    { field: 'fields', message: `${field.name} cannot be compared` },
  ]);
}

/** A record's value in a field, in its compared and its displayed form. */
export interface ComparedValue {
  readonly key: string;
  readonly text: string;
}

/** The SQL to read for a field, and the reader of its values. */
export interface Comparison {
  readonly field: FieldDef;
  readonly columns: Reading['columns'];
  values(row: Row, at: number): readonly ComparedValue[];
}

/** The comparison of a field. With `normalize`, phone numbers are converted to E.164. */
export function comparisonOf(call: Call, object: ObjectDef, field: FieldDef, normalize: boolean): Comparison {
  const type = fieldType(field.type);
  const { columns, members } = type.read(field, readScope(call, object, 'r'));
  const [member] = members;
  if (type.uniqueValues) {
    const isPhone = field.type === 'PHONES' && normalize;
    return {
      field,
      columns,
      values: (row, at) => itemsIn(row[at] ?? null).flatMap((text) => compared(isPhone ? e164(text) : text)),
    };
  }
  return { field, columns, values: (row, at) => compared(member?.cell(row, at) ?? '') };
}

/** Characters of a displayed value; of longer ones the digest is compared. */
const longestShown = 200;

function compared(value: string): readonly ComparedValue[] {
  const text = value.trim();
  if (text === '') return [];
  const key = text.toLowerCase();
  return [
    {
      key: key.length > longestShown ? hash('sha256', key, 'base64url') : key,
      text: text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text,
    },
  ];
}

/** The values of a stored set. */
function itemsIn(cell: string | null): readonly string[] {
  const items = parseJson(cell ?? '[]');
  if (!Array.isArray(items)) return [];
  return items.filter(isObject).flatMap((item) => {
    const value = item['email'] ?? item['phone'];
    return typeof value === 'string' ? [value] : [];
  });
}

/** `+` and digits. A number without a country code just loses its separators. */
function e164(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  const dialled = phone.trim();
  if (dialled.startsWith('+')) return `+${digits}`;
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}
