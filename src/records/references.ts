/** The records and users that a write points at: they exist, are visible to the caller, and stay while the write runs. */
import type { FieldError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import type { Call } from '../access/call.ts';
import { empty, identifier, join, sql, type Sql } from '../postgres/sql.ts';
import { objectScope } from '../query/row-scope.ts';
import { visibleRow } from '../query/where.ts';
import type { Decoded } from './decode.ts';

interface Reference {
  readonly field: FieldDef;
  readonly target: string;
  readonly id: string;
}

export interface ReferenceChecks {
  /** `name as materialized (…)`, each locking the targets of one object against the trash. */
  readonly locks: readonly Sql[];
  /** One condition per reference, in the order of `fields`. */
  readonly conditions: readonly Sql[];
  readonly fields: readonly FieldDef[];
}

/** Ids that a decoded write sets in its own columns. */
function referencesOf(decoded: Decoded): Reference[] {
  const found: Reference[] = [];
  for (const [field, cells] of decoded.cells) {
    const target = fieldType(field.type).target?.(field);
    const id = cells[0];
    if (target && id) found.push({ field, target: target === 'user' ? 'user' : target.object, id });
  }
  return found;
}

/** `unchanged` names the row as it was: a reference that it had already may stay, even when its target is in the trash. */
export function checkReferences(call: Call, decoded: Decoded, unchanged?: Sql): ReferenceChecks {
  const references = referencesOf(decoded);
  const targets = [...new Set(references.map((reference) => reference.target))].filter((target) => target !== 'user');
  const lockName = (target: string) => identifier(`locked_${target}`);
  const locks = targets.map((target) => {
    const ids = references.filter((reference) => reference.target === target).map((reference) => reference.id);
    return sql`${lockName(target)} as materialized (${lockVisible(call, target, [...new Set(ids)])})`;
  });
  const conditions = references.map(({ field, target, id }) => {
    const exists =
      target === 'user'
        ? sql`exists (select 1 from ${call.workspace.table('_users')} u where u.id = ${id}::uuid)`
        : sql`exists (select 1 from ${lockName(target)} l where l.id = ${id}::uuid)`;
    return unchanged ? sql`(${exists} or ${unchanged}.${identifier(field.name)} = ${id}::uuid)` : exists;
  });
  return { locks, conditions, fields: references.map((reference) => reference.field) };
}

/** Selects those of `ids` that the caller may see, locked against deletion until the transaction ends, in id order. */
export function lockVisible(call: Call, objectName: string, ids: readonly string[]): Sql {
  const object = call.model.objects.get(objectName);
  if (!object) return sql`select null::uuid as id where false`;
  return sql`select t.id from ${call.workspace.table(objectName)} t
    where t.id = any(${ids}::uuid[]) and ${visibleRow(objectScope(call, object, 't'))} order by t.id for key share of t`;
}

export function missingReference(field: FieldDef): FieldError {
  const target = fieldType(field.type).target?.(field);
  const what = target === 'user' || !target ? 'a workspace user' : `a record of ${target.object}`;
  return { field: field.name, message: `${field.name} must be the id of ${what}` };
}

export function withClauses(clauses: readonly Sql[]): Sql {
  return clauses.length === 0 ? empty : sql`with ${join(clauses, ',\n')}`;
}
