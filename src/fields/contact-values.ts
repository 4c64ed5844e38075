/**
 * Shared by EMAILS and PHONES: one jsonb column with `[{ email, label, is_primary }]` (or `phone`), null when empty.
 * Exactly one value is primary.
 */
import { aggregates } from './aggregates.ts';
import { quoted } from '../errors.ts';
import { isObject, parseJson } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';
import { literal, sql, trusted } from '../postgres/sql.ts';
import { joinValues, listInCell } from './cell-text.ts';
import { FieldProblem, misfit, refuseOtherKeys } from './field-problem.ts';
import type { FieldType } from './field-type.ts';
import { objectSchema } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { reading } from './members.ts';
import { columnOf, textOrder } from './operands.ts';
import { operatorsOf } from './operators/by-kind.ts';

/** Values per field. */
export const maxValues = 100;
const maxLabel = 100;
const defaultLabel = 'work';
/** An address and a label at four bytes per character, and the keys. */
const mostBytesOfValue = 4 * (320 + maxLabel) + 60;

interface ContactValue {
  readonly value: string;
  readonly label: string;
  readonly isPrimary: boolean;
}

export interface ContactKind {
  readonly key: 'email' | 'phone';
  /** Normalises the value for storage. Throws FieldProblem. */
  check(text: string): string;
  /** Values with the same key are equal. */
  identity(value: string): string;
  readonly schema: JsonSchema;
}

/** The field type of a kind, without its name and search text. */
export function contactValues(kind: ContactKind): Omit<FieldType, 'names' | 'searchText'> {
  return {
    columns: (field) => [{ name: field.name, type: 'jsonb' }],
    read(field, scope) {
      return reading(columnOf(scope, field.name), {
        key: field.name,
        mostBytes: maxValues * mostBytesOfValue,
        json: (row, at) => row[at] ?? '[]',
        cell: (row, at) => joinValues(primaryFirst(row[at] ?? '[]', kind)),
      });
    },
    schema(field) {
      const label = { type: 'string', maxLength: maxLabel, examples: [defaultLabel] } as const;
      const parts = { [kind.key]: kind.schema, label, is_primary: { type: 'boolean' } } as const;
      const item = objectSchema(parts, ['label', 'is_primary']);
      const values = { type: 'array', items: { anyOf: [item, kind.schema] }, maxItems: maxValues } as const;
      return {
        read: { [field.name]: { type: 'array', items: objectSchema(parts) } },
        write: { anyOf: [values, kind.schema] },
      };
    },
    operand(field, scope) {
      const value = columnOf(scope, field.name);
      const primary = sql`(jsonb_path_query_first(${value}, ${trusted(`'$[*] ? (@.is_primary == true).${kind.key}'`)}) #>> '{}')`;
      const sort = { value: textOrder(sql`${primary} collate "C"`), type: 'text', nullable: true };
      return { kind: 'values', value, key: kind.key, sort };
    },
    within(field, scope) {
      const each = sql`from jsonb_array_elements(${columnOf(scope, field.name)}) member`;
      const text = (key: string) => sql`((member ->> ${literal(key)}) collate "C")`;
      const keys = [kind.key, 'label'];
      return Object.fromEntries(keys.map((key) => [key, { type: 'TEXT', value: text(key), each }]));
    },
    operators: operatorsOf('values'),
    aggregates: aggregates.distinct,
    decode: (value) => [encode(decodeAll(value, kind), kind)],
    uniqueValues: ([cell]) => storedValues(cell, kind).map((value) => kind.identity(value)),
    fromCell: listInCell,
  };
}

/** The values in a stored cell, without labels. */
export function storedValues(cell: string | null | undefined, kind: ContactKind): readonly string[] {
  return parsed(cell ?? '[]', kind).map((item) => item.value);
}

function parsed(cell: string, { key }: ContactKind): readonly ContactValue[] {
  const items = parseJson(cell);
  if (!Array.isArray(items)) return [];
  return items.filter(isObject).map((item) => ({
    value: textIn(item[key]),
    label: textIn(item['label']),
    isPrimary: item['is_primary'] === true,
  }));
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function primaryFirst(cell: string, kind: ContactKind): readonly string[] {
  const values = parsed(cell, kind);
  return [...values.filter((item) => item.isPrimary), ...values.filter((item) => !item.isPrimary)].map(
    (item) => item.value,
  );
}

function encode(values: readonly ContactValue[], { key }: ContactKind): string | null {
  if (values.length === 0) return null;
  return JSON.stringify(values.map(({ value, label, isPrimary }) => ({ [key]: value, label, is_primary: isPrimary })));
}

function decodeAll(value: Json, kind: ContactKind): readonly ContactValue[] {
  if (value === null) return [];
  const items = Array.isArray(value) ? value : [value];
  if (items.length > maxValues) throw new FieldProblem(`must have at most ${maxValues} values`);
  const values = items.map((item) => decodeOne(item, kind));
  const known = new Set<string>();
  for (const item of values) {
    const identity = kind.identity(item.value);
    if (known.has(identity)) throw new FieldProblem(`has ${quoted(item.value)} twice`);
    known.add(identity);
  }
  const primaries = values.filter((item) => item.isPrimary).length;
  if (primaries > 1) throw new FieldProblem('must have one primary value');
  return primaries === 1 ? values : values.map((item, index) => ({ ...item, isPrimary: index === 0 }));
}

function decodeOne(item: Json, kind: ContactKind): ContactValue {
  if (typeof item === 'string') return { value: kind.check(item.trim()), label: defaultLabel, isPrimary: false };
  if (!isObject(item)) throw misfit(`a list of { ${kind.key}, label, is_primary }`, item);
  refuseOtherKeys(item, [kind.key, 'label', 'is_primary']);
  const { [kind.key]: value, label = null, is_primary: isPrimary = null } = item;
  if (typeof value !== 'string') throw new FieldProblem(`must have a text as each ${kind.key}`);
  if (isPrimary !== null && typeof isPrimary !== 'boolean')
    throw new FieldProblem('must have true or false as is_primary');
  return { value: kind.check(value.trim()), label: checkLabel(label), isPrimary: isPrimary ?? false };
}

function checkLabel(label: Json): string {
  if (label === null || label === '') return defaultLabel;
  if (typeof label !== 'string' || label.length > maxLabel) {
    throw new FieldProblem(`must have a text of at most ${maxLabel} characters as each label`);
  }
  return label;
}
