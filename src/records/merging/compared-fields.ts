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

/** Fields of one request. */
const mostFields = 20;

/** TEXT fields with these names are compared unless others are named. */
const nameFields: ReadonlySet<string> = new Set(['name', 'full_name', 'company_name']);

/** The fields that are named, or those that tell records apart. Throws INVALID_FIELD, VALIDATION_ERROR. */
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

/** Addresses and numbers, whether one or a set of them; LinkedIn; names, also where they are calculated. */
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

/** A value that a record has in a field, as it is compared and as it is told. */
export interface ComparedValue {
  readonly key: string;
  readonly text: string;
}

/** What is read of a field, and the values in it. */
export interface Comparison {
  readonly field: FieldDef;
  readonly columns: Reading['columns'];
  values(row: Row, at: number): readonly ComparedValue[];
}

/** How the field is compared. With `normalize`, phone numbers in E.164. */
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

/** Characters of a value that are told, and above which its digest is compared. */
const mostTold = 200;

function compared(value: string): readonly ComparedValue[] {
  const text = value.trim();
  if (text === '') return [];
  const key = text.toLowerCase();
  return [
    {
      key: key.length > mostTold ? hash('sha256', key, 'base64url') : key,
      text: text.length > mostTold ? `${text.slice(0, mostTold).toWellFormed()}…` : text,
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

/** `+` and digits. Where no country is told, a number stays what it is without what people put between its digits. */
function e164(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  const dialled = phone.trim();
  if (dialled.startsWith('+')) return `+${digits}`;
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}
