/**
 * The addresses by which contacts are found among participants: what `emails` and `phones` of contacts hold, in one form. They are
 * compared as they are read, so a contact that comes, changes or goes is matched at once, however many messages there are.
 */
import type { FieldDef } from '../fields/field-def.ts';
import { identifier, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { ObjectDef } from './model.ts';
import { indexName } from './names.ts';

/** The fields of `object` that hold such addresses; none of other objects than contacts. */
export function addressFields({ name, kind, fields }: ObjectDef): readonly FieldDef[] {
  if (name !== 'contacts' || kind !== 'builtIn') return [];
  return fields.filter((field) => field.type === 'EMAILS' || field.type === 'PHONES');
}

/**
 * The addresses of the field in the row `row`, as text[]: e-mail addresses in lower case, phone numbers as their digits. Beside them
 * are signs of the JSON that no address is. Immutable, for an index.
 */
export function addressesOf({ type, name }: FieldDef, row?: Sql): Sql {
  const column = row ? sql`${row}.${identifier(name)}` : identifier(name);
  const values = (key: string) => sql`jsonb_path_query_array(${column}, ${trusted(`'$[*].${key}'`)})::text collate "C"`;
  if (type === 'EMAILS') return sql`string_to_array(lower(${values('email')}), '"')`;
  // What stands before the country's code where one dials it, 00, is what + stands for.
  const digits = sql`regexp_replace(${values('phone')}, '[^0-9"]', '', 'g')`;
  return sql`string_to_array(replace(${digits}, '"00', '"'), '"')`;
}

/** The indexes that find contacts by an address: what follows the table's name, and what each is called. */
export function addressIndexes(object: ObjectDef): readonly { readonly name: string; readonly definition: Sql }[] {
  return addressFields(object).map((field) => ({
    name: indexName(field.id, 'address'),
    definition: sql`using gin ((${addressesOf(field)}))`,
  }));
}

/** Bytes of the longest address that is compared: an index holds no row of any size. */
const longestAddress = 400;

/** An e-mail address or a phone number in the form in which they are compared; undefined for what is neither. */
export function comparable(text: string): string | undefined {
  const given = text.trim();
  if (Buffer.byteLength(given) > longestAddress) return undefined;
  if (/^[^\s@]+@[^\s@]+$/.test(given)) return given.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!/^[+\d][\d\s().\-/]*$/.test(given)) return undefined;
  const digits = given.replace(/\D/g, '').replace(/^00/, '');
  return digits.length >= 5 ? digits : undefined;
}
