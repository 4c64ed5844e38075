/**
 * Names of relations that Kith creates. They derive from ids, so a renamed object or field keeps its tables and
 * indexes.
 */
import type { FieldDef } from '../fields/field-def.ts';
import type { ObjectDef } from './model.ts';

/** The schema of an organization. */
export function schemaName(organizationId: string): string {
  return `org_${organizationId.replaceAll('-', '')}`;
}

/** A PostgreSQL regular expression that matches exactly such schema names. */
export const schemaNames = '^org_';

/** The link table of a MANY_TO_MANY field. */
export function linkTableName(fieldId: string): string {
  return `_link_${tail(fieldId)}`;
}

/** The name of an index of the object or field with this id; `purpose` distinguishes several. */
export function indexName(id: string, purpose?: string): string {
  return purpose === undefined ? `i_${tail(id)}` : `i_${tail(id)}_${purpose}`;
}

/** The name of an index that exists on demand. */
export function demandedIndexName(id: string, use: string): string {
  return `${demandedPrefix}${tail(id)}_${use}`;
}

/** The prefix of such index names, used by no others. */
export const demandedPrefix = 'd_';

/** The name of the field's unique index. */
export function uniqueIndexName(fieldId: string): string {
  return `u_${tail(fieldId)}`;
}

/** The field of a violated unique constraint. Citus appends a shard's number to the name. */
export function fieldOfUniqueIndex(object: ObjectDef, constraint: string): FieldDef | undefined {
  const found = /^u_[0-9a-f]{12}/.exec(constraint)?.[0];
  return object.fields.find((field) => uniqueIndexName(field.id) === found);
}

/** The random part of a UUIDv7; for a part of a field, followed by the part's name. */
function tail(id: string): string {
  const [uuid = '', part] = id.split('.');
  const random = uuid.replaceAll('-', '').slice(-12);
  return part === undefined ? random : `${random}_${part}`;
}
