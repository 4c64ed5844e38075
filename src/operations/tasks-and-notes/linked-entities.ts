/** Maps `linked_entities` of tasks and notes to the link fields of their objects, one per linked object. [spec: Task, Note] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { Lenient } from '../../describe/annotations.ts';
import { errors, quoted } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { objectHint } from '../../lib/other-names.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { Id, Nullable } from '../outputs.ts';

/** The objects whose records can be linked. */
export const linkableObjects = ['contacts', 'companies', 'opportunities'] as const;

const LinkedEntity = Type.Object(
  {
    id: Type.String({ description: 'Id of the record' }),
    type: Type.String(),
    display: Type.Optional(Lenient(Nullable(Type.String()), 'Ignored: an answer has it')),
  },
  { additionalProperties: false },
);

export const LinkedEntities = Type.Optional(
  Type.Array(LinkedEntity, { maxItems: 1_000, description: `Records of ${linkableObjects.join(', ')}` }),
);

/** Linked records in answers. */
export const LinkedEntitiesOut = Type.Array(
  Type.Object({ id: Id, type: Type.String(), display: Nullable(Type.String()) }),
);

/** The input key that gives the type of a linked record. */
type TypeKey = 'linked_entities' | 'linked_entity_type' | 'entity_type';

export interface LinkedEntity {
  readonly id: string;
  readonly type: string;
}

/**
 * The link fields of `object`, set to exactly these records. Throws VALIDATION_ERROR for a type that cannot be linked,
 * RECORD_NOT_FOUND for an invalid id.
 */
function linkValues(object: ObjectDef, entities: readonly LinkedEntity[], key: TypeKey): JsonObject {
  const values: Record<string, string[]> = {};
  for (const name of linksOf(object)) values[name] = [];
  for (const { id, type } of entities) linksIn(values, type, key).push(idOf(type, id));
  return Object.fromEntries(Object.entries(values).map(([name, ids]) => [name, [...new Set(ids)]]));
}

/** As `linkValues`, without the fields that the caller's role may not write, which stay unchanged. Throws the same. */
export function writtenLinks({ visibility }: Call, object: ObjectDef, entities: readonly LinkedEntity[]): JsonObject {
  const values = Object.entries(linkValues(object, entities, 'linked_entities')) as [string, readonly string[]][];
  const written = values.filter(([name, ids]) => ids.length > 0 || visibility.writes(object.name, name));
  return Object.fromEntries(written) as JsonObject;
}

/** A filter for rows of `object` linked to the record; an `id` without type matches any type. Throws as `linkValues`. */
export function linkedTo(
  object: ObjectDef,
  type: string | undefined,
  id: string | undefined,
  key: TypeKey,
): FilterGroup | undefined {
  if (type === undefined && id === undefined) return undefined;
  if (type !== undefined) requireLinkable(object, type, key);
  const fields = type === undefined ? linksOf(object) : [type];
  if (id !== undefined && !isUuid(id)) throw errors.recordNotFound(fields.join(', '), id);
  const condition = (field: string) =>
    id === undefined
      ? { field, operator: 'is_not_empty' }
      : { field: `${field}.id`, operator: 'equals', value: id.toLowerCase() };
  return { type: 'OR', conditions: fields.map(condition) };
}

/** Throws VALIDATION_ERROR if records of the type cannot be linked to rows of `object`. */
export function requireLinkable(object: ObjectDef, type: string, key: TypeKey): void {
  const links = linksOf(object);
  if (!links.includes(type)) throw unlinkable(type, links, key);
}

/** The linked records of a record of `object`, as read. */
export function linkedEntities(object: ObjectDef, record: JsonObject): Json[] {
  return linksOf(object).flatMap((type) => {
    const links = record[type];
    if (!Array.isArray(links)) return [];
    return links.filter(isObject).map(({ id = null, display = null }) => ({ id, type, display }));
  });
}

function linksOf(object: ObjectDef): string[] {
  return object.fields.filter(({ linkTable }) => linkTable !== undefined).map(({ name }) => name);
}

function linksIn(values: Readonly<Record<string, string[]>>, type: string, key: TypeKey): string[] {
  const ids = Object.hasOwn(values, type) ? values[type] : undefined;
  if (ids) return ids;
  throw unlinkable(type, Object.keys(values), key);
}

function unlinkable(type: string, links: readonly string[], key: TypeKey) {
  return errors.validation(
    `${quoted(type)} is no type of record that can be linked${objectHint(type, links)}`,
    [{ field: key, message: `${key === 'linked_entities' ? 'type ' : ''}must be one of: ${links.join(', ')}` }],
    links,
  );
}

function idOf(type: string, id: string): string {
  if (!isUuid(id)) throw errors.recordNotFound(type, id);
  return id.toLowerCase();
}
