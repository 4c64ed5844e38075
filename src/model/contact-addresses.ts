/**
 * Matches contacts to participants by the `emails` and `phones` of contacts in a normalised form. Matching happens on
 * reading, so a new, changed or deleted contact takes effect at once, however many messages there are.
 */
import type { FieldDef } from '../fields/field-def.ts';
import { identifier, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { ObjectDef } from './model.ts';
import { indexName } from './names.ts';

/** The fields of contacts that hold addresses; empty for other objects. */
export function addressFields({ name, kind, fields }: ObjectDef): readonly FieldDef[] {
  if (name !== 'contacts' || kind !== 'builtIn') return [];
  return fields.filter((field) => field.type === 'EMAILS' || field.type === 'PHONES');
}

/**
 * The field's addresses in the row `row` as text[]: e-mail addresses in lower case, phone numbers as digits, besides
 * JSON syntax that matches no address. Immutable, so it can be indexed.
 */
export function addressesOf({ type, name }: FieldDef, row?: Sql): Sql {
  const column = row ? sql`${row}.${identifier(name)}` : identifier(name);
  const values = (key: string) => sql`jsonb_path_query_array(${column}, ${trusted(`'$[*].${key}'`)})::text collate "C"`;
  if (type === 'EMAILS') return sql`string_to_array(lower(${values('email')}), '"')`;
  // The international dialling prefix 00 is the same as +.
  const digits = sql`regexp_replace(${values('phone')}, '[^0-9"]', '', 'g')`;
  return sql`string_to_array(replace(${digits}, '"00', '"'), '"')`;
}

/** The indexes that find contacts by address: a name, and the definition after the table's name. */
export function addressIndexes(object: ObjectDef): readonly { readonly name: string; readonly definition: Sql }[] {
  return addressFields(object).map((field) => ({
    name: indexName(field.id, 'address'),
    definition: sql`using gin ((${addressesOf(field)}))`,
  }));
}

/** Bytes of the longest compared address: index rows are limited. */
const longestAddress = 400;

/** An e-mail address or a phone number in normalised form; undefined for other text. */
export function comparable(text: string): string | undefined {
  const given = text.trim();
  if (Buffer.byteLength(given) > longestAddress) return undefined;
  if (/^[^\s@]+@[^\s@]+$/.test(given)) return given.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!/^[+\d][\d\s().\-/]*$/.test(given)) return undefined;
  const digits = given.replace(/\D/g, '').replace(/^00/, '');
  return digits.length >= 5 ? digits : undefined;
}
