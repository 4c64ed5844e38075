/**
 * An export shows labels where ids were; here they become ids again. A label that names no record, or several, fails its row.
 * [decisions: Writing]
 */
import type { Call } from '../access/call.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import { isUuid } from '../lib/id.ts';
import { isObject, type Json } from '../lib/json.ts';
import type { Rows } from '../postgres/database.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { objectScope } from '../query/row-scope.ts';
import { visibleRow } from '../query/where.ts';

/** The id that a label stands for; `undefined` when there is none, `'ambiguous'` when there are several. */
export type Labels = ReadonlyMap<string, string>;

export const ambiguous = 'ambiguous';

/** Whether values of this field are ids that an import may give as labels. */
export function takesLabels(field: FieldDef): boolean {
  return fieldType(field.type).target?.(field) !== undefined;
}

/** What in a value is not an id: labels to look up. */
export function labelsIn(value: Json): string[] {
  if (typeof value === 'string') return isUuid(value) || value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(labelsIn);
  if (isObject(value)) return typeof value['display'] === 'string' ? [value['display']] : [];
  return [];
}

/** The value with ids for labels, as far as they are known. An object's own id goes before its label where it exists here. */
export function withIds(value: Json, labels: Labels, known: ReadonlySet<string>): Json {
  if (typeof value === 'string') return labels.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withIds(item, labels, known));
  if (!isObject(value)) return value;
  const { display, ...rest } = value;
  if (typeof rest['id'] === 'string' && known.has(rest['id'])) return rest;
  const found = typeof display === 'string' ? labels.get(display) : undefined;
  return found === undefined ? rest : { ...rest, id: found };
}

/** Looks the labels of one target up in one statement: by a record's display, by a user's name or e-mail address. */
export async function resolveLabels(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  target: { readonly object: string } | 'user',
  labels: readonly string[],
): Promise<Labels> {
  const found = await run(target === 'user' ? usersByLabel(call, labels) : recordsByLabel(call, target.object, labels));
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
  if (!object) return sql`select null, null where false`;
  const scope = objectScope(call, object, 't');
  const label = scope.operand(object.displayField).value;
  return sql`select ${label}::text, t.id from ${call.workspace.table(objectName)} t
    where ${label} = any(${labels}::text[]) and ${visibleRow(scope)}`;
}
