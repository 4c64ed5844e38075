/** Names of relations that Kith makes itself. They lean on ids, so that a renamed object or field keeps its tables and indexes. */
import type { FieldDef } from '../fields/field-def.ts';
import type { ObjectDef } from './model.ts';

/** The schema of an organization. */
export function schemaName(organizationId: string): string {
  return `org_${organizationId.replaceAll('-', '')}`;
}

/** What the names of such schemas, and of no others, match: a regular expression of PostgreSQL. */
export const schemaNames = '^org_';

/** The table that holds the links of a MANY_TO_MANY field. */
export function linkTableName(fieldId: string): string {
  return `_link_${tail(fieldId)}`;
}

/** The name of an index of the object or field with this id; `purpose` tells apart several of one. */
export function indexName(id: string, purpose?: string): string {
  return purpose === undefined ? `i_${tail(id)}` : `i_${tail(id)}_${purpose}`;
}

/** Of an index that is there as long as there is demand. */
export function demandedIndexName(id: string, use: string): string {
  return `${demandedPrefix}${tail(id)}_${use}`;
}

/** What the names of such indexes begin with, and of no others. */
export const demandedPrefix = 'd_';

/** The name of the index that keeps the field's values unique. */
export function uniqueIndexName(fieldId: string): string {
  return `u_${tail(fieldId)}`;
}

/** The field whose uniqueness the named constraint keeps. Citus adds a shard's number to the name. */
export function fieldOfUniqueIndex(object: ObjectDef, constraint: string): FieldDef | undefined {
  const found = /^u_[0-9a-f]{12}/.exec(constraint)?.[0];
  return object.fields.find((field) => uniqueIndexName(field.id) === found);
}

/** The random part of a UUIDv7; a part of a field has the field's, and its own name behind it. */
function tail(id: string): string {
  const [uuid = '', part] = id.split('.');
  const random = uuid.replaceAll('-', '').slice(-12);
  return part === undefined ? random : `${random}_${part}`;
}
