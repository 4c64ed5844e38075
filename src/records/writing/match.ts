/** Finds the record that an upsert or import row names by a field value instead of an id. [decisions: Writing] */
import { shortList } from '../../lib/short-list.ts';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import { addressesOf, comparable } from '../../model/contact-addresses.ts';
import type { ObjectDef } from '../../model/model.ts';
import { identifier, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { unknownField, visibleAttributes } from '../../query/attributes.ts';
import type { Decoded } from './decode.ts';
import { hasKey, keyColumn, keysOf } from './unique.ts';

/** The field that records are matched by. Throws INVALID_FIELD with the possible ones. */
export function matchField({ visibility }: Call, object: ObjectDef, name: string): FieldDef {
  const fitting = visibleAttributes(object, visibility).filter((field) => field.isUnique || isSet(field));
  const field = fitting.find((candidate) => candidate.name === name);
  if (field) return field;
  const names = fitting.map((candidate) => candidate.name);
  throw unknownField(name, object, names, 'match takes a unique field, or one of EMAILS or PHONES');
}

function isSet({ type }: FieldDef): boolean {
  return fieldType(type).uniqueValues !== undefined;
}

/** Whether several records may share a key: addresses and phone numbers are compared in a normalised form. */
function isLoose(field: FieldDef): boolean {
  return !field.isUnique && isSet(field);
}

/** The keys of the field as they are compared; none for an empty value. */
export function comparedKeys(field: FieldDef, decoded: Decoded): readonly string[] {
  const keys = keysOf(field, decoded);
  return [...new Set(isLoose(field) ? keys.flatMap((value) => comparable(value) ?? []) : keys)];
}

/** The keys of a field that records are matched by. Throws MISSING_REQUIRED_FIELD where there are none. */
export function matchKeys(field: FieldDef, decoded: Decoded): readonly string[] {
  const keys = comparedKeys(field, decoded);
  if (keys.length === 0) throw errors.missingField(field.name, 'records are matched by it');
  return keys;
}

/**
 * Holds the keys until the end of the transaction by advisory locks, since a record that does not exist has no row to
 * lock. Keys share 64 locks, because PostgreSQL has room for some thousands in all.
 */
export async function holdKeys(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  keys: readonly string[],
): Promise<void> {
  const place = `${call.model.schema} ${field.id} `;
  // In lock order, the same for everyone, to avoid deadlocks.
  await tx.run(sql`select pg_advisory_xact_lock(k.lock) from
    (select distinct hashtextextended(${place}::text || (hashtext(g.key) & 63), 0) as lock
      from unnest(${keys}::text[]) g (key) order by 1 offset 0) k`);
}

/** The visible records with one of the keys, by key. */
export async function matchesOf(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  field: FieldDef,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (keys.length === 0) return new Map();
  const { rows } = await tx.run(matching(call, object, field, keys));
  const found = new Map<string, Set<string>>();
  for (const [id, key] of rows) found.set(key ?? '', (found.get(key ?? '') ?? new Set()).add(id ?? ''));
  return found;
}

function matching(call: Call, object: ObjectDef, field: FieldDef, keys: readonly string[]): Sql {
  const table = call.workspace.table(object.table);
  const visible = visibleRow(objectScope(call, object, 't'));
  const given = sql`${keys}::text[]`;
  if (isLoose(field)) {
    const addresses = addressesOf(field, sql`t`);
    return sql`select t.id, a.address from ${table} t cross join lateral unnest(${addresses}) a (address)
      where ${addresses} && ${given} and a.address = any(${given}) and ${visible}`;
  }
  if (isSet(field)) {
    return sql`select t.id, v.value from ${call.workspace.table('_unique_values')} v join ${table} t on t.id = v.record_id
      where v.field_id = ${field.id}::uuid and v.value = any(${given}) and ${visible}`;
  }
  return sql`select t.id, t.${identifier(keyColumn(object, field).name)}::text from ${table} t
    where ${hasKey(call, object, field, keys)} and ${visible}`;
}

/** The only record with one of the keys; undefined without one. Throws CONFLICT with the ids of several. */
export function oneMatch(
  object: ObjectDef,
  field: FieldDef,
  keys: readonly string[],
  matches: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  const ids = new Set(keys.flatMap((key) => [...(matches.get(key) ?? [])]));
  if (ids.size > 1) throw ambiguous(object, field, [...ids].toSorted());
  return [...ids][0];
}

const mostNamed = 20;

function ambiguous({ name }: ObjectDef, field: FieldDef, ids: readonly string[]): KithError {
  return errors.conflict(`${ids.length} records of ${name} match by ${field.name}: ${shortList(ids, mostNamed)}`);
}

/** The change for a matching record: all given values but the field that it was found by. */
export function withoutMatch(field: FieldDef, { cells, links, byStep, ...rest }: Decoded): Decoded {
  const others = new Map(cells);
  others.delete(field);
  return { ...rest, cells: others, links: new Map(links), byStep: new Set(byStep) };
}
