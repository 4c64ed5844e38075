/** What tasks and notes are about: `linked_entities` of their interface, which their objects keep in a field per object. [spec: Task, Note] */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { errors, quoted } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { isUuid } from '../lib/id.ts';
import type { JsonObject } from '../lib/json.ts';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import { sql } from '../postgres/sql.ts';
import type { Decoded } from '../records/writing/decode.ts';
import { presentTargets } from '../records/writing/links.ts';

/** The objects whose records can be linked. */
export const linkableObjects = ['contacts', 'companies', 'opportunities'] as const;

const LinkedEntity = Type.Object({ id: Type.String({ description: 'Id of the record' }), type: Type.String() });

export const LinkedEntities = Type.Optional(
  Type.Array(LinkedEntity, { maxItems: 1_000, description: `Records of ${linkableObjects.join(', ')}` }),
);

export interface LinkedEntity {
  readonly id: string;
  readonly type: string;
}

/**
 * The link fields of `object` with these records alone. Throws VALIDATION_ERROR for a type that cannot be linked, RECORD_NOT_FOUND
 * for what is no id.
 */
export function linkValues(object: ObjectDef, entities: readonly LinkedEntity[]): JsonObject {
  const values: Record<string, string[]> = {};
  for (const field of object.fields) if (field.linkTable !== undefined) values[field.name] = [];
  for (const { id, type } of entities) linksIn(values, type).push(idOf(type, id));
  return Object.fromEntries(Object.entries(values).map(([name, ids]) => [name, [...new Set(ids)]]));
}

/** As `linkValues`, without the link fields that the caller's role does not write: those stay as they are. Throws as that. */
export function writtenLinks({ visibility }: Call, object: ObjectDef, entities: readonly LinkedEntity[]): JsonObject {
  const values = Object.entries(linkValues(object, entities)) as [string, readonly string[]][];
  const written = values.filter(([name, ids]) => ids.length > 0 || visibility.writes(object.name, name));
  return Object.fromEntries(written) as JsonObject;
}

/**
 * Locks the records that are linked to, in the transaction that links them. Throws RECORD_NOT_FOUND for one that is not there or
 * not visible, unless `recordId`, which is locked, has the link already.
 */
export async function requireLinked(
  call: Call,
  tx: WorkspaceTransaction,
  links: Decoded['links'],
  recordId?: string,
): Promise<void> {
  for (const [field, wanted] of links) {
    const ids = wanted.map(({ target }) => target);
    const present = await presentTargets(call, tx, field, ids);
    const missing = ids.filter((id) => !present.has(id));
    if (missing.length === 0) continue;
    const known = recordId === undefined ? new Set() : await linkedIds(call, tx, field, recordId, missing);
    const stray = missing.find((id) => !known.has(id));
    if (stray !== undefined) throw errors.recordNotFound(field.name, stray);
  }
}

/** Those of `ids` that the record is linked to. */
async function linkedIds(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  recordId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const table = call.workspace.table(field.linkTable ?? '');
  const { rows } = await tx.run(sql`select l.target_id from ${table} l
    where l.source_id = ${recordId}::uuid and l.target_id = any(${ids}::uuid[])`);
  return new Set(rows.map(([id]) => id ?? ''));
}

/** The rows of `object` that are linked to the record; `id` alone looks among all types. Throws as `linkValues`. */
export function linkedTo(object: ObjectDef, type: string | undefined, id: string | undefined): FilterGroup | undefined {
  if (type === undefined && id === undefined) return undefined;
  const links = object.fields.filter(({ linkTable }) => linkTable !== undefined).map(({ name }) => name);
  if (type !== undefined && !links.includes(type)) throw unlinkable(type, links);
  const fields = type === undefined ? links : [type];
  const condition = (field: string) =>
    id === undefined
      ? { field, operator: 'is_not_empty' }
      : { field: `${field}.id`, operator: 'equals', value: idOf(field, id) };
  return { type: 'OR', conditions: fields.map(condition) };
}

function linksIn(values: Readonly<Record<string, string[]>>, type: string): string[] {
  const ids = Object.hasOwn(values, type) ? values[type] : undefined;
  if (ids) return ids;
  throw unlinkable(type, Object.keys(values));
}

function unlinkable(type: string, links: readonly string[]) {
  return errors.validation(
    `${quoted(type)} is no type of record that can be linked`,
    [{ field: 'linked_entities', message: `type must be one of: ${links.join(', ')}` }],
    links,
  );
}

function idOf(type: string, id: string): string {
  if (!isUuid(id)) throw errors.recordNotFound(type, id);
  return id.toLowerCase();
}
