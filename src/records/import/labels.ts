/**
 * Converts labels back to ids, as an export replaced ids by labels. A label that names no record, or several, fails
 * its row. [decisions: Writing]
 */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { maxLinks } from '../../fields/types/many-to-many.ts';
import { fieldType } from '../../fields/registry.ts';
import { FieldProblem } from '../../fields/field-problem.ts';
import { quoted } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { shortList } from '../../lib/short-list.ts';
import type { Rows } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';

/** The id of a label; missing where there is none, `'ambiguous'` where there are several. */
export type Labels = ReadonlyMap<string, string>;

export const ambiguous = 'ambiguous';

/** Existing ids with the record's object, or `user`. */
export type KnownIds = ReadonlyMap<string, string>;

/** The objects of the field's possible targets, or `user`; an import accepts their labels. */
export function targetsOf(field: FieldDef): readonly string[] {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined || target === 'user') return target ? [target] : [];
  return 'object' in target ? [target.object] : target.objects;
}

/** Whether a value of a field with several targets may mean this one. */
export function mayMean(value: Json, target: string): boolean {
  return !isObject(value) || typeof value['object'] !== 'string' || value['object'] === target;
}

/** Whether a list is too long for any field, so that it is not resolved. */
export function isOverlong(value: Json): boolean {
  return Array.isArray(value) && (value.length > maxLinks || value.some((item) => Array.isArray(item)));
}

/** The ids in a value, in lower case. */
export function idsIn(value: Json): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value.toLowerCase()] : [];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return isObject(value) && typeof value['id'] === 'string' ? idsIn(value['id']) : [];
}

/** The texts in a value that are no ids: labels to resolve. */
export function labelsIn(value: Json): string[] {
  if (typeof value === 'string') return isUuid(value) || value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(labelsIn);
  if (isObject(value)) return typeof value['display'] === 'string' ? [value['display']] : [];
  return [];
}

/** The value with resolved labels. An object's own id takes precedence over its label where it exists here. */
export function withIds(value: Json, labels: Labels, known: KnownIds): Json {
  if (typeof value === 'string') return labels.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withIds(item, labels, known));
  if (!isObject(value)) return value;
  const { display, ...rest } = value;
  if (typeof rest['id'] === 'string' && known.has(rest['id'])) return rest;
  const found = typeof display === 'string' ? labels.get(display) : undefined;
  return found === undefined ? rest : { ...rest, id: found };
}

/** A set without links to trashed records, which an export shows with a null display, and which do not exist here. */
export function presentLinks(value: Json, known: KnownIds): Json {
  if (!Array.isArray(value)) return value;
  return value.filter(
    (item) => !(isObject(item) && item['display'] === null) || idsIn(item).some((id) => known.has(id)),
  );
}

/** Resolves a value of a field with several targets (MORPH_RELATION) to object and id. Throws FieldProblem. */
export function withPlace(value: Json, labels: ReadonlyMap<string, Labels>, known: KnownIds): Json {
  if (!isObject(value)) return value;
  const [id] = idsIn(value);
  const place = id === undefined ? undefined : known.get(id);
  if (id !== undefined && place !== undefined && mayMean(value, place)) return { object: place, id };
  const { display } = value;
  if (typeof display !== 'string') return value;
  const found = [...labels].flatMap(([object, ofObject]) => {
    const named = mayMean(value, object) ? ofObject.get(display) : undefined;
    return named === undefined ? [] : [{ object, id: named }];
  });
  const [only] = found;
  if (!only || found.length > 1 || only.id === ambiguous) throw unusableLabel([display], found.length > 0);
  return only;
}

/** The problem of labels that match no record, or several each. */
export function unusableLabel(labels: readonly string[], isAmbiguous: boolean): FieldProblem {
  const named = shortList(labels.map(quoted), mostNamed);
  return new FieldProblem(`names ${isAmbiguous ? 'several records' : 'no record'}: ${named}`);
}

const mostNamed = 5;

/**
 * Resolves the labels of one target (an object, or `user`) in one statement: by a record's label, by a user's name or
 * e-mail address.
 */
export async function resolveLabels(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  target: string,
  labels: readonly string[],
): Promise<Labels> {
  const found = await run(target === 'user' ? usersByLabel(call, labels) : recordsByLabel(call, target, labels));
  const ids = new Map<string, string>();
  for (const [label, id] of found.rows) {
    if (label && id) ids.set(label, ids.has(label) && ids.get(label) !== id ? ambiguous : id);
  }
  return ids;
}

function usersByLabel(call: Call, labels: readonly string[]): Sql {
  return sql`select l.label, u.id from unnest(${labels}::text[]) l (label)
    join ${call.workspace.table('_users')} u on u.name = l.label or lower(u.email) = lower(l.label)`;
}

function recordsByLabel(call: Call, objectName: string, labels: readonly string[]): Sql {
  const object = call.model.objects.get(objectName);
  if (!object || !call.visibility.shows(object.name, object.displayField)) return sql`select null, null where false`;
  const scope = objectScope(call, object, 't');
  const label = scope.operand(object.displayField).value;
  return sql`select ${label}::text, t.id from ${call.workspace.table(object.table)} t
    where ${label} = any(${labels}::text[]) and ${visibleRow(scope)}`;
}
