/** ADDRESS: one jsonb column with the seven keys of a postal address, each a text or null. */
import { aggregates } from '../aggregates.ts';
import { isObject, parseJson } from '../../lib/json.ts';
import type { Json } from '../../lib/json.ts';
import { literal, sql } from '../../postgres/sql.ts';
import { jsonInCell } from '../cell-text.ts';
import { FieldProblem, misfit, refuseOtherKeys } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { objectSchema, orNull, valueSchema } from '../json-schema.ts';
import { member, reading } from '../members.ts';
import { columnOf, textOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { normalise } from '../search-text.ts';
import { trimmed } from './text.ts';

/** The keys of an address. */
export const addressParts = ['street', 'street2', 'city', 'state', 'postal_code', 'country', 'formatted'] as const;
const maxPart = 1_000;

type Address = Readonly<Record<(typeof addressParts)[number], string | null>>;

const sample: Address = {
  street: 'Main St 1',
  street2: null,
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
  formatted: 'Main St 1, Springfield, IL 62701, US',
};

export const address: FieldType = {
  names: ['ADDRESS'],
  columns: (field) => [{ name: field.name, type: 'jsonb' }],
  read: (field, scope) =>
    reading(
      columnOf(scope, field.name),
      member(field.name, (text) => text, formattedOf),
    ),
  schema(field) {
    const part = orNull({ type: 'string', maxLength: maxPart });
    const parts = Object.fromEntries(addressParts.map((key) => [key, { ...part, examples: [sample[key]] }]));
    return valueSchema(field.name, objectSchema(parts), {
      anyOf: [objectSchema(parts, addressParts), { type: 'string' }],
    });
  },
  operand: (field, scope) => textOperand(sql`((${columnOf(scope, field.name)} ->> 'formatted') collate "C")`),
  within: (field, scope) =>
    Object.fromEntries(
      addressParts.map((key) => {
        const value = sql`((${columnOf(scope, field.name)} ->> ${literal(key)}) collate "C")`;
        return [key, { type: 'TEXT', value }];
      }),
    ),
  operators: operatorsOf('text'),
  aggregates: aggregates.presence,
  decode(value) {
    const decoded = value === null ? null : decodeAddress(value);
    return [decoded === null || Object.values(decoded).every((part) => part === null) ? null : JSON.stringify(decoded)];
  },
  fromCell: (text) => jsonInCell(text) ?? trimmed(text),
  searchText: ([cell]) => (cell === null || cell === undefined ? '' : normalise(formattedOf(cell))),
};

function formattedOf(cell: string): string {
  const stored = parseJson(cell);
  const formatted = isObject(stored) ? stored['formatted'] : null;
  return typeof formatted === 'string' ? formatted : '';
}

function decodeAddress(value: Json): Address {
  const given = typeof value === 'string' ? { formatted: value } : value;
  if (!isObject(given)) throw misfit(`an object with ${addressParts.join(', ')}`, value);
  refuseOtherKeys(given, addressParts);
  const part = (key: (typeof addressParts)[number]): string | null => decodePart(key, given[key] ?? null);
  const parts = {
    street: part('street'),
    street2: part('street2'),
    city: part('city'),
    state: part('state'),
    postal_code: part('postal_code'),
    country: part('country'),
  };
  return { ...parts, formatted: part('formatted') ?? format(parts) };
}

function decodePart(key: string, value: Json): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw new FieldProblem(`must have a text or null as ${key}`);
  if (value.length > maxPart) throw new FieldProblem(`must have at most ${maxPart} characters in ${key}`);
  return value.trim() || null;
}

/** `Main St 1, Floor 2, Springfield, IL 62701, US`; null when there is nothing to show. */
function format(parts: Omit<Address, 'formatted'>): string | null {
  const region = [parts.state, parts.postal_code].filter((part) => part !== null).join(' ');
  const shown = [parts.street, parts.street2, parts.city, region, parts.country];
  return shown.filter((part) => part !== null && part !== '').join(', ') || null;
}
