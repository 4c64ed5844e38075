/** Which record a write means that names none by its id: the one that has a value of a field already. [decisions: Writing] */
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

/** The field that records are matched by. Throws INVALID_FIELD with those that can be. */
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

/** Whether several records may have one value: addresses and numbers are compared as people mean them. */
function isLoose(field: FieldDef): boolean {
  return !field.isUnique && isSet(field);
}

/** The keys that the values have of the field, as they are compared; none where it is empty. */
export function comparedKeys(field: FieldDef, decoded: Decoded): readonly string[] {
  const keys = keysOf(field, decoded);
  return [...new Set(isLoose(field) ? keys.flatMap((value) => comparable(value) ?? []) : keys)];
}

/** The same of a field that records are matched by. Throws MISSING_REQUIRED_FIELD where there are none. */
export function matchKeys(field: FieldDef, decoded: Decoded): readonly string[] {
  const keys = comparedKeys(field, decoded);
  if (keys.length === 0) throw errors.missingField(field.name, 'records are matched by it');
  return keys;
}

/**
 * Until the end of the transaction, nobody else matches by one of the keys: a record that is not there yet has no row to lock. Keys
 * share 64 locks, since PostgreSQL has room for some thousand in all.
 */
export async function holdKeys(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  keys: readonly string[],
): Promise<void> {
  const place = `${call.model.schema} ${field.id} `;
  // In the order of the locks themselves, the same for all.
  await tx.run(sql`select pg_advisory_xact_lock(k.lock) from
    (select distinct hashtextextended(${place}::text || (hashtext(g.key) & 63), 0) as lock
      from unnest(${keys}::text[]) g (key) order by 1 offset 0) k`);
}

/** The records that the caller sees and that have one of the keys, by key. */
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

/** The one record that has one of the keys; undefined where none has. Throws CONFLICT with the ids of several. */
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

/** What is changed of a record that matches: all that is given but the field by which it was found. */
export function withoutMatch(field: FieldDef, { cells, links, byStep, ...rest }: Decoded): Decoded {
  const others = new Map(cells);
  others.delete(field);
  return { ...rest, cells: others, links: new Map(links), byStep: new Set(byStep) };
}
