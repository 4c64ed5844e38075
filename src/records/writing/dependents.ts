/**
 * DEPENDENT_RELATION: the target must belong, by its own relation, to the record that the parent relation of the same
 * record names. A changed parent clears a child that no longer fits. [contract: Workspace manifest]
 */
import type { Call } from '../../access/call.ts';
import type { FieldError, KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import { identifier, join, or, sql, trusted, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { hiddenIsRequired } from './defaults.ts';
import type { Given, GivenCheck } from './given.ts';
import type { Check } from './row-write.ts';

interface Dependency {
  readonly child: FieldDef;
  /** The relation that `dependsOn` names. */
  readonly parent: FieldDef;
  /** The child's object. */
  readonly target: ObjectDef;
  /** The target's own relation to the parent's object. */
  readonly link: FieldDef;
}

/** The dependencies among an object's relations. A dependency without such a relation is ignored. */
function dependenciesOf(model: Model, object: ObjectDef): Dependency[] {
  return object.fields.flatMap((child) => {
    const parent = child.dependsOn === undefined ? undefined : object.attributes.get(child.dependsOn);
    const target = child.relationConfig && model.objects.get(child.relationConfig.targetObjectName);
    const link = parent && target && linkTo(target, parent);
    return link ? [{ child, parent, target, link }] : [];
  });
}

/** The relation of `target` to the object that `parent` points to: the one with the same name, else the first. */
function linkTo(target: ObjectDef, parent: FieldDef): FieldDef | undefined {
  const leads = target.fields.filter(
    ({ relationConfig }) =>
      relationConfig?.relationType === 'BELONGS_TO_ONE' &&
      relationConfig.targetObjectName === parent.relationConfig?.targetObjectName,
  );
  return leads.find((field) => field.name === parent.name) ?? leads[0];
}

/** Whether the role sees both deciding fields; otherwise the check is skipped, since its answer would reveal them. */
function decides(call: Call, object: ObjectDef, { parent, target, link }: Dependency): boolean {
  return call.visibility.shows(object.name, parent.name) && call.visibility.shows(target.name, link.name);
}

/**
 * A condition that the record `child`, as far as the caller sees it, belongs to the record `parent`; both are uuid
 * expressions.
 */
function fits(call: Call, object: ObjectDef, dependency: Dependency, child: Sql, parent: Sql): Sql {
  if (!decides(call, object, dependency)) return sql`false`;
  const { target, link } = dependency;
  return sql`exists (select 1 from ${call.workspace.table(target.table)} d
    where d.id = ${child} and d.${identifier(link.name)} = ${parent} and ${visibleRow(objectScope(call, target, 'd'))})`;
}

/** The rows of an update by their aliases: before and after. */
export interface UpdatedRow {
  readonly was: Sql;
  readonly will: Sql;
}

/** A condition for each child that a write sets. A relation that an update leaves alone may stay. */
export function checkDependencies(
  call: Call,
  object: ObjectDef,
  given: Given,
  updated?: UpdatedRow,
): readonly GivenCheck[] {
  return dependenciesOf(call.model, object).flatMap((dependency) => {
    const { child, parent } = dependency;
    const id = given.value(child);
    if (!id || given.firstCells(child).every((cell) => cell === null)) return [];
    const next = updated ? sql`${updated.will}.${identifier(parent.name)}` : (given.value(parent) ?? sql`null::uuid`);
    const holds = [fits(call, object, dependency, id, next)];
    if (given.rows.length > 1) holds.push(sql`${id} is null`);
    if (updated)
      holds.push(sql`(${updated.was}.${identifier(child.name)} = ${id} and ${unmoved(updated.was, parent, next)})`);
    const problem = misfit(call, object, dependency);
    return [{ condition: or(holds), problem: () => problem }];
  });
}

function unmoved(was: Sql, parent: FieldDef, next: Sql): Sql {
  return sql`${was}.${identifier(parent.name)} is not distinct from ${next}`;
}

/**
 * A condition for each required child, which a changed parent must not clear. `settled` are the children that it may
 * clear.
 */
export function checkRequiredChildren(
  call: Call,
  object: ObjectDef,
  settled: SettledChildren,
  { was, will }: UpdatedRow,
): readonly Check[] {
  return dependenciesOf(call.model, object).flatMap((dependency) => {
    const { child } = dependency;
    if (!child.isRequired || !settled.next.has(child)) return [];
    const name = identifier(child.name);
    const problem = wanting(call, object, dependency);
    return [{ condition: sql`(${will}.${name} is not null or ${was}.${name} is null)`, problem: () => problem }];
  });
}

/** The error for a required child that would be cleared. */
function wanting(call: Call, object: ObjectDef, dependency: Dependency): FieldError | KithError {
  const { child, target } = dependency;
  if (!call.visibility.shows(object.name, child.name)) return hiddenIsRequired(object);
  const fit = whatFits(call, object, dependency);
  return {
    field: child.name,
    message: `${child.name} is required, and the record that it names is not one of ${target.name} that ${fit}`,
  };
}

export interface SettledChildren {
  /** The ids after the update. */
  readonly next: ReadonlyMap<FieldDef, Sql>;
  /** Appended to the row in `from`, to define those ids. */
  readonly beside: Sql;
}

/**
 * The children that an update does not name and a changed parent may clear, over the row `was`. Each has a lateral
 * sub-select in which its parent is a named value: inlined, a chain of them would double at each level.
 */
export function settledChildren(call: Call, object: ObjectDef, given: Given, was: Sql): SettledChildren {
  const next = new Map<FieldDef, Sql>();
  const steps: Sql[] = [];
  for (const dependency of parentsFirst(dependenciesOf(call.model, object))) {
    const { child, parent } = dependency;
    const above = given.value(parent) ?? next.get(parent);
    if (!above || given.has(child)) continue;
    const stored = sql`${was}.${identifier(child.name)}`;
    const stays = sql`${unmoved(was, parent, above)} or ${fits(call, object, dependency, stored, above)}`;
    const alias = trusted(`settled_${steps.length}`);
    // The offset keeps PostgreSQL from inlining the value wherever its name is used.
    steps.push(sql` cross join lateral (select case when ${stays} then ${stored} end as id offset 0) ${alias}`);
    next.set(child, sql`${alias}.id`);
  }
  return { next, beside: join(steps, '') };
}

function parentsFirst(dependencies: readonly Dependency[]): readonly Dependency[] {
  const byChild = new Map(dependencies.map((dependency) => [dependency.child, dependency]));
  const met = new Set<Dependency>();
  return dependencies.flatMap((dependency) => {
    const above: Dependency[] = [];
    for (let at: Dependency | undefined = dependency; at && !met.has(at); at = byChild.get(at.parent)) {
      met.add(at);
      above.push(at);
    }
    return above.toReversed();
  });
}

/** The error for a child that does not belong to its parent. */
function misfit(call: Call, object: ObjectDef, dependency: Dependency): FieldError {
  const { child, target } = dependency;
  const fit = whatFits(call, object, dependency);
  return { field: child.name, message: `${child.name} must be a record of ${target.name} that ${fit}` };
}

/** Describes fitting targets without naming a parent that the role may not see. */
function whatFits({ visibility }: Call, object: ObjectDef, { parent }: Dependency): string {
  return visibility.shows(object.name, parent.name)
    ? `belongs to the record that ${parent.name} names`
    : 'fits this record';
}
