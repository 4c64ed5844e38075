/**
 * DEPENDENT_RELATION: its target belongs, by the target's own relation, to the record that another relation of the same
 * record names. A parent that changes clears a child that no longer fits. [contract: Workspace manifest]
 */
import type { Call } from '../access/call.ts';
import type { FieldError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import type { Rows } from '../postgres/database.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';
import { objectScope } from '../query/object-scope.ts';
import { visibleRow } from '../query/where.ts';
import type { Decoded } from './decode.ts';

export interface Dependency {
  readonly child: FieldDef;
  /** The relation that `dependsOn` names. */
  readonly parent: FieldDef;
  /** The child's object. */
  readonly target: ObjectDef;
  /** The target's own relation to the parent's object. */
  readonly link: FieldDef;
}

/** The dependencies among an object's relations. One whose target has no relation to the parent's object asks nothing. */
export function dependenciesOf(model: Model, object: ObjectDef): Dependency[] {
  return object.fields.flatMap((child) => {
    const parent = child.dependsOn === undefined ? undefined : object.attributes.get(child.dependsOn);
    const target = child.relationConfig && model.objects.get(child.relationConfig.targetObjectName);
    const link = parent && target && linkTo(target, parent);
    return link ? [{ child, parent, target, link }] : [];
  });
}

/** The relation of `target` to the object that `parent` points to: the one of the same name, else the first. */
function linkTo(target: ObjectDef, parent: FieldDef): FieldDef | undefined {
  const leads = target.fields.filter(
    ({ relationConfig }) =>
      relationConfig?.relationType === 'BELONGS_TO_ONE' &&
      relationConfig.targetObjectName === parent.relationConfig?.targetObjectName,
  );
  return leads.find((field) => field.name === parent.name) ?? leads[0];
}

/** Whether the role sees the two fields that decide what fits; else nothing does, or an answer would tell of them. */
function decides(call: Call, object: ObjectDef, { parent, target, link }: Dependency): boolean {
  return call.visibility.shows(object.name, parent.name) && call.visibility.shows(target.name, link.name);
}

/** Whether the record `child`, as far as the caller sees it, belongs to the record `parent`; both are uuid expressions. */
function fits(call: Call, object: ObjectDef, dependency: Dependency, child: Sql, parent: Sql): Sql {
  if (!decides(call, object, dependency)) return sql`false`;
  const { target, link } = dependency;
  return sql`exists (select 1 from ${call.workspace.table(target.name)} d
    where d.id = ${child} and d.${identifier(link.name)} = ${parent} and ${visibleRow(objectScope(call, target, 'd'))})`;
}

/** A condition for each child that a write sets. `was` names the row before an update: what it changes nothing of may stay. */
export function checkDependencies(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  was?: Sql,
): { condition: Sql; problem: FieldError }[] {
  const dependencies = dependenciesOf(call.model, object);
  return dependencies.flatMap((dependency) => {
    const { child, parent } = dependency;
    const id = decoded.cells.get(child)?.[0];
    if (!id) return [];
    const next = nextId(call, object, dependencies, decoded, parent, was);
    const fitting = fits(call, object, dependency, sql`${id}::uuid`, next);
    const same =
      was &&
      sql`(${was}.${identifier(child.name)} = ${id}::uuid and ${was}.${identifier(parent.name)} is not distinct from ${next})`;
    return [{ condition: same ? sql`(${fitting} or ${same})` : fitting, problem: misfit(call, object, dependency) }];
  });
}

/** The children that an update does not name and that a changed parent may clear, with their next value over the row `was`. */
export function settledChildren(call: Call, object: ObjectDef, decoded: Decoded, was: Sql): ReadonlyMap<FieldDef, Sql> {
  const dependencies = dependenciesOf(call.model, object);
  const moves = ({ child, parent }: Dependency): boolean =>
    !decoded.cells.has(child) &&
    (decoded.cells.has(parent) || dependencies.some((above) => above.child === parent && moves(above)));
  return new Map(
    dependencies.filter(moves).map(({ child }) => [child, nextId(call, object, dependencies, decoded, child, was)]),
  );
}

/** The id that a relation will have: the written one, else what its own parent leaves of the stored one. */
function nextId(
  call: Call,
  object: ObjectDef,
  dependencies: readonly Dependency[],
  decoded: Decoded,
  field: FieldDef,
  was: Sql | undefined,
): Sql {
  const cells = decoded.cells.get(field);
  if (cells || !was) return sql`${cells?.[0] ?? null}::uuid`;
  const stored = sql`${was}.${identifier(field.name)}`;
  const dependency = dependencies.find(({ child }) => child === field);
  if (!dependency) return stored;
  const { parent } = dependency;
  const next = nextId(call, object, dependencies, decoded, parent, was);
  const unmoved = sql`${was}.${identifier(parent.name)} is not distinct from ${next}`;
  return sql`(case when ${unmoved} or ${fits(call, object, dependency, stored, next)} then ${stored} end)`;
}

/** What is wrong with a child that does not belong to its parent; a parent that the role may not see is not named. */
export function misfit(call: Call, object: ObjectDef, { child, parent, target }: Dependency): FieldError {
  const known = call.visibility.shows(object.name, parent.name);
  const fit = known ? `belongs to the record that ${parent.name} names` : 'fits this record';
  return { field: child.name, message: `${child.name} must be a record of ${target.name} that ${fit}` };
}

/** The record that each of `ids`, which are the child's targets and visible, belongs to. */
export async function parentsOf(
  call: Call,
  run: (query: Sql) => Promise<Rows>,
  object: ObjectDef,
  dependency: Dependency,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0 || !decides(call, object, dependency)) return new Map();
  const { target, link } = dependency;
  const found = await run(sql`select d.id, d.${identifier(link.name)} from ${call.workspace.table(target.name)} d
    where d.id = any(${ids}::uuid[])`);
  return new Map(found.rows.flatMap(([id, parent]) => (id && parent ? [[id, parent] as const] : [])));
}
