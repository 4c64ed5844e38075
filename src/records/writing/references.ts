/** The records and users that a write points at: they exist, are visible to the caller, and stay while the write runs. */
import type { FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Call } from '../../access/call.ts';
import { and, empty, identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { bound } from './columns.ts';
import { checkDependencies, type UpdatedRow } from './dependents.ts';
import type { Decoded } from './decode.ts';

interface Reference {
  readonly field: FieldDef;
  /** The object of the record, or `user`. */
  readonly target: string;
  readonly cells: readonly Cell[];
  readonly id: string;
}

export interface ReferenceChecks {
  /** `name as materialized (…)`, each locking the targets of one object against the trash. */
  readonly locks: readonly Sql[];
  readonly conditions: readonly Sql[];
  /** What it means that the condition at the same place does not hold. */
  readonly problems: readonly FieldError[];
  /** Whether a condition names the row of an update as it will be. */
  readonly lookAhead: boolean;
}

/** The object of the record that a reference's cells name, or `user`; undefined for what is no reference. */
export function targetOf(field: FieldDef, cells: readonly Cell[]): string | undefined {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined || target === 'user') return target;
  return 'object' in target ? target.object : (cells[1] ?? undefined);
}

/** Ids that a decoded write sets in its own columns, but the caller's: every write makes sure that the caller is there. */
function referencesOf({ caller }: Call, decoded: Decoded): Reference[] {
  const found: Reference[] = [];
  for (const [field, cells] of decoded.cells) {
    const target = targetOf(field, cells);
    const id = cells[0];
    if (target === undefined || !id || (target === 'user' && id === caller.workspaceUserId)) continue;
    found.push({ field, target, cells, id });
  }
  return found;
}

/** A reference that an updated row had already may stay, even when its target is in the trash. */
export function checkReferences(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  updated?: UpdatedRow,
): ReferenceChecks {
  const references = referencesOf(call, decoded);
  const targets = [...new Set(references.map((reference) => reference.target))].filter((target) => target !== 'user');
  const lockName = (target: string) => identifier(`locked_${target}`);
  const locks = targets.map((target) => {
    const ids = references.filter((reference) => reference.target === target).map((reference) => reference.id);
    return sql`${lockName(target)} as materialized (${lockVisible(call, target, [...new Set(ids)])})`;
  });
  const conditions = references.map((reference) => {
    const { target, id } = reference;
    const exists =
      target === 'user'
        ? sql`exists (select 1 from ${call.workspace.table('_users')} u where u.id = ${id}::uuid)`
        : sql`exists (select 1 from ${lockName(target)} l where l.id = ${id}::uuid)`;
    return updated ? sql`(${exists} or ${unchanged(reference, updated.was)})` : exists;
  });
  const dependencies = checkDependencies(call, object, decoded, updated);
  return {
    locks,
    conditions: [...conditions, ...dependencies.map(({ condition }) => condition)],
    problems: [
      ...references.map(({ field, target }) => missingReference(field, target)),
      ...dependencies.map(({ problem }) => problem),
    ],
    lookAhead: updated !== undefined && dependencies.length > 0,
  };
}

function unchanged({ field, cells }: Reference, was: Sql): Sql {
  const columns = fieldType(field.type).columns(field);
  return and(columns.map((column, at) => sql`${was}.${identifier(column.name)} = ${bound(cells[at] ?? null, column)}`));
}

/** Selects those of `ids` that the caller may see, locked against deletion until the transaction ends, in id order. */
export function lockVisible(call: Call, objectName: string, ids: readonly string[]): Sql {
  const object = call.model.objects.get(objectName);
  if (!object) return sql`select null::uuid as id where false`;
  return sql`select t.id from ${call.workspace.table(object.table)} t
    where t.id = any(${ids}::uuid[]) and ${visibleRow(objectScope(call, object, 't'))} order by t.id for key share of t`;
}

/** `target` as `targetOf` gives it. */
export function missingReference(field: FieldDef, target: string): FieldError {
  const what = target === 'user' ? 'a workspace user' : `a record of ${target}`;
  return { field: field.name, message: `${field.name} must be the id of ${what}` };
}

export function withClauses(clauses: readonly Sql[]): Sql {
  return clauses.length === 0 ? empty : sql`with ${join(clauses, ',\n')}`;
}
