/**
 * Checks records and users that a write refers to: they exist, are visible to the caller, and stay while the write
 * runs.
 */
import type { FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Call } from '../../access/call.ts';
import { and, identifier, or, sql, type Sql } from '../../postgres/sql.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { checkDependencies, type UpdatedRow } from './dependents.ts';
import type { Given, GivenCheck, GivenRow } from './given.ts';
import { pipelineFields } from './pipeline-fields.ts';

export interface ReferenceChecks {
  /** `name as materialized (…)` clauses, each locking the targets of one object against the trash. */
  readonly locks: readonly Sql[];
  readonly checks: readonly GivenCheck[];
  /** Whether a condition uses the changed row of an update. */
  readonly looksAhead: boolean;
}

/** The object that a reference's cells point at, or `user`; undefined for a field that is no reference. */
export function targetOf(field: FieldDef, cells: readonly Cell[]): string | undefined {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined || target === 'user') return target;
  return 'object' in target ? target.object : (cells[1] ?? undefined);
}

/** A column of ids that a write sets, with the rows that lead to `target`. */
interface Reference {
  readonly field: FieldDef;
  /** Set by a step: the target must exist, but need not be visible. */
  readonly isByStep: boolean;
  /** The object's name, or `user`. */
  readonly target: string;
}

/** References in the rows' own columns, without the caller's id: every write checks that the caller exists. */
function referencesOf({ caller }: Call, given: Given): Reference[] {
  const found = new Map<FieldDef, Set<string>>();
  for (const { cells } of given.rows) {
    for (const [field, own] of cells) {
      const [id] = own;
      const target = id && targetOf(field, own);
      if (!id || !target || (target === 'user' && id === caller.workspaceUserId)) continue;
      found.set(field, (found.get(field) ?? new Set<string>()).add(target));
    }
  }
  return [...found].flatMap(([field, targets]) =>
    [...targets].map((target) => ({ field, target, isByStep: given.isByStep(field) })),
  );
}

function idsIn(given: Given, target: string, fields: readonly FieldDef[]): Sql {
  return given.slot((rows) => idsTo(target, fields, rows));
}

/** The ids of `target` in the fields, without repetition. */
function idsTo(target: string, fields: readonly FieldDef[], rows: readonly GivenRow[]): readonly string[] {
  const ids = new Set<string>();
  for (const { cells } of rows) {
    for (const field of fields) {
      const own = cells.get(field);
      const id = own?.[0];
      if (own && id && targetOf(field, own) === target) ids.add(id);
    }
  }
  return [...ids];
}

/**
 * Conditions on references. A reference that an updated row already had may stay, even when its target is in the
 * trash.
 */
export function checkReferences(call: Call, object: ObjectDef, given: Given, updated?: UpdatedRow): ReferenceChecks {
  const references = referencesOf(call, given);
  const lockName = ({ target, isByStep }: Reference) => identifier(`${isByStep ? 'alive' : 'locked'}_${target}`);
  const locked = Map.groupBy(
    references.filter(({ target }) => target !== 'user'),
    ({ target, isByStep }) => `${target} ${isByStep}`,
  );
  const locks = [...locked.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { target, isByStep } = first;
    const fields = some.map(({ field }) => field);
    const lock = (isByStep ? lockAlive : lockVisible)(call, target, idsIn(given, target, fields));
    return [sql`${lockName(first)} as materialized (${lock})`];
  });
  const fields = Map.groupBy(references, ({ field }) => field);
  const checks = [...fields].map(([field, some]): GivenCheck => {
    const id = given.value(field) ?? sql`null::uuid`;
    const found = some.map((reference) => {
      const { target } = reference;
      if (target !== 'user') {
        const isThere = sql`exists (select 1 from ${lockName(reference)} l where l.id = ${id})`;
        return some.length === 1 ? isThere : sql`(${given.value(field, 1) ?? sql`null`} = ${target} and ${isThere})`;
      }
      const isUser = sql`exists (select 1 from ${call.workspace.table('_users')} u where u.id = ${id})`;
      return given.rows.length === 1 ? isUser : sql`(${id} = ${call.caller.workspaceUserId}::uuid or ${isUser})`;
    });
    const holds = [
      ...(given.rows.length === 1 ? [] : [sql`${id} is null`]),
      ...found,
      ...(updated ? [unchanged(field, given, updated.was)] : []),
    ];
    const problem = ({ cells, byStep }: GivenRow) =>
      byStep.has(field)
        ? lostByStep(call, object, field)
        : missingReference(field, targetOf(field, cells.get(field) ?? []) ?? '');
    return { condition: or(holds), problem };
  });
  const dependencies = checkDependencies(call, object, given, updated);
  return {
    locks,
    checks: [...checks, ...dependencies],
    looksAhead: updated !== undefined && dependencies.length > 0,
  };
}

function unchanged(field: FieldDef, given: Given, was: Sql): Sql {
  const columns = fieldType(field.type).columns(field);
  return and(
    columns.map((column, at) => sql`${was}.${identifier(column.name)} = ${given.value(field, at) ?? sql`null`}`),
  );
}

/** The error for a missing target that a step sets; it does not name a field that the role may not see. */
function lostByStep(call: Call, object: ObjectDef, field: FieldDef): FieldError {
  const step = pipelineFields(object)?.step.name ?? field.name;
  const named = call.visibility.shows(object.name, field.name) ? ` as ${field.name}` : '';
  return { field: step, message: `The step sets a record${named} that is not there any more` };
}

/** Selects and locks those of `ids` that exist, as `lockVisible` does for visible ones. */
export function lockAlive(call: Call, objectName: string, ids: readonly string[] | Sql): Sql {
  const object = call.model.objects.get(objectName);
  if (!object) return sql`select null::uuid as id where false`;
  return sql`select t.id from ${call.workspace.table(object.table)} t
    where t.id = any(${ids}::uuid[]) and t.deleted_at is null order by t.id for key share of t`;
}

/** Selects those of `ids` that the caller may see, locked against deletion until the transaction ends, in id order. */
export function lockVisible(call: Call, objectName: string, ids: readonly string[] | Sql): Sql {
  const object = call.model.objects.get(objectName);
  if (!object) return sql`select null::uuid as id where false`;
  return sql`select t.id from ${call.workspace.table(object.table)} t
    where t.id = any(${ids}::uuid[]) and ${visibleRow(objectScope(call, object, 't'))} order by t.id for key share of t`;
}

/** The error for a missing target; `target` as returned by `targetOf`. */
export function missingReference(field: FieldDef, target: string): FieldError {
  const what = target === 'user' ? 'a workspace user' : `a record of ${target}`;
  return { field: field.name, message: `${field.name} must be the id of ${what}` };
}
