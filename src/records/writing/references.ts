/** The records and users that a write points at: they exist, are visible to the caller, and stay while the write runs. */
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
  /** `name as materialized (…)`, each locking the targets of one object against the trash. */
  readonly locks: readonly Sql[];
  readonly checks: readonly GivenCheck[];
  /** Whether a condition names the row of an update as it will be. */
  readonly looksAhead: boolean;
}

/** The object of the record that a reference's cells name, or `user`; undefined for what is no reference. */
export function targetOf(field: FieldDef, cells: readonly Cell[]): string | undefined {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined || target === 'user') return target;
  return 'object' in target ? target.object : (cells[1] ?? undefined);
}

/** One column of ids that a write sets, with the rows that lead to `target`. */
interface Reference {
  readonly field: FieldDef;
  /** A step sets it: it need only be there. */
  readonly isByStep: boolean;
  /** The object of the records, or `user`. */
  readonly target: string;
}

/** Ids that the rows set in their own columns, but the caller's: every write makes sure that the caller is there. */
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

/** The ids of `target` in the fields, each once. */
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

/** A reference that an updated row had already may stay, even when its target is in the trash. */
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

/** What a step sets is not there. A field that the role may not see is not named. */
function lostByStep(call: Call, object: ObjectDef, field: FieldDef): FieldError {
  const step = pipelineFields(object)?.step.name ?? field.name;
  const named = call.visibility.shows(object.name, field.name) ? ` as ${field.name}` : '';
  return { field: step, message: `The step sets a record${named} that is not there any more` };
}

/** As `lockVisible`, of records that need only be there. */
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

/** `target` as `targetOf` gives it. */
export function missingReference(field: FieldDef, target: string): FieldError {
  const what = target === 'user' ? 'a workspace user' : `a record of ${target}`;
  return { field: field.name, message: `${field.name} must be the id of ${what}` };
}
