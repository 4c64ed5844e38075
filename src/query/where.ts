/**
 * Row conditions: one compiler for a caller's filter and a role's rule. They differ in the visible fields and in
 * mistakes: a filter's is an error, a rule's admits nothing.
 */
import { errors, type KithError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem, OperatorProblem } from '../fields/field-problem.ts';
import { fieldType } from '../fields/registry.ts';
import { operatorNames, type Operator, type OperatorName } from '../fields/operators/operator.ts';
import { isUuid } from '../lib/id.ts';
import type { FilterCondition, FilterGroup, ObjectDef, RowCondition, Sight } from '../model/model.ts';
import { and, or, sql, type Sql } from '../postgres/sql.ts';
import { attributeFor, resolveAttribute, unknownField, visibleAttributes } from './attributes.ts';
import type { CallersScope } from './callers-scope.ts';
import { withMe } from './me.ts';
import { textPrefilter } from './prefilter.ts';
import { relatedObject, scopeBeyond, tableOf, type ObjectScope } from './row-scope.ts';
import {
  noRelation,
  oneRelation,
  splitPath,
  subjectBeyond,
  subjectOf,
  subjectOfLinks,
  subjectWithin,
  withinOf,
  type Subject,
} from './subject.ts';

/**
 * A caller's filter as a condition on `scope`'s row; never null. Throws INVALID_FIELD for what the caller can't see and
 * VALIDATION_ERROR for an operator or a value that the field can't take.
 */
export function compileFilter(group: FilterGroup, scope: CallersScope): Sql {
  return compileGroup(group, (condition) => compileForCaller(condition, scope));
}

/**
 * A role's rule as a condition on `scope`'s row; it sees every field. An invalid condition admits nothing. The
 * object's own condition always applies, too.
 */
export function compileRule(rule: 'all' | 'none' | FilterGroup, scope: ObjectScope): Sql {
  if (rule === 'none') return sql`false`;
  const parts = rowCondition(scope);
  if (rule !== 'all') {
    const ruled = scope.asRule();
    parts.push(compileGroup(rule, (condition) => compileForRule(condition, ruled)));
  }
  const [only = sql`true`] = parts;
  return parts.length > 1 ? and(parts) : only;
}

/** Whether the rule admits every row of the object. */
export function admitsAll(rule: 'all' | 'none' | FilterGroup, { condition }: ObjectDef): boolean {
  return rule === 'all' && !condition;
}

/** The rows that exist for the caller: not in the trash, and admitted by the object's own condition and the role. */
export function visibleRow(scope: ObjectScope): Sql {
  const rule = scope.context.visibility.rows(scope.object.name);
  return admitsAll(rule, scope.object) ? aliveRow(scope) : and([aliveRow(scope), compileRule(rule, scope)]);
}

function aliveRow({ row }: ObjectScope): Sql {
  return sql`${row}.deleted_at is null`;
}

/** The object's own condition, which applies to everybody; empty without one. */
function rowCondition(scope: ObjectScope): Sql[] {
  const { object, context } = scope;
  if (!object.condition) return [];
  context.markCallerSpecific?.();
  const ruled = scope.asRule();
  const compile = ({ type, conditions }: RowCondition, me: string): Sql => {
    const parts = conditions.map((part) => {
      if ('conditions' in part) return compile(part, me);
      return 'sees' in part ? compileSight(part, scope) : compileForRule(withMe(part, me), ruled);
    });
    return type === 'AND' ? and(parts) : or(parts);
  };
  const { condition } = object;
  return [context.me, context.recipient].flatMap((person) =>
    person === undefined ? [] : [compile(condition, person)],
  );
}

/**
 * False within a role's rule: a rule sees everything, so it would admit other people's rows, and a rule of the
 * related object could recurse to this one.
 */
function compileSight({ sees }: Sight, scope: ObjectScope): Sql {
  const { context, object } = scope;
  const field = resolveAttribute(object, sees);
  const target = field && relatedObject(context.model, field);
  if (context.isRule || !field || !target || context.visibility.rows(target.name) === 'none') return sql`false`;
  const there = scopeBeyond(scope, target);
  return sql`exists (select from ${tableOf(context.model, target.table)} ${there.row}
    where ${leadsTo(field, scope, there)} and ${visibleRow(there)})`;
}

/** Whether the field of `scope`'s row leads to the row `there`. */
function leadsTo(field: FieldDef, scope: ObjectScope, there: ObjectScope): Sql {
  const { inverseField } = field.relationConfig ?? {};
  if (inverseField !== undefined) return sql`${there.operand(inverseField).value} = ${scope.row}.id`;
  if (field.linkTable === undefined) return sql`${there.row}.id = ${scope.operand(field.name).value}`;
  return sql`${there.row}.id = any(${scope.linkedIds(field)})`;
}

/** A FilterGroup has no NOT, so a null condition may count as false anywhere. */
function compileGroup(group: FilterGroup, compile: (condition: FilterCondition) => Sql): Sql {
  const parts = group.conditions.map((part) => ('conditions' in part ? compileGroup(part, compile) : compile(part)));
  return group.type === 'AND' ? and(parts) : or(parts);
}

function compileForCaller(original: FilterCondition, scope: CallersScope): Sql {
  const { me, markCallerSpecific } = scope.context;
  const condition = withMe(original, me);
  if (condition.value !== original.value && JSON.stringify(condition) !== JSON.stringify(original))
    markCallerSpecific?.();
  const subject = filteredSubject(condition.field, scope);
  const operator = operatorFor(condition, subject);
  if (!operator) throw unknownOperator(condition, namesOf(subject));
  try {
    const exact = operator(subject.operand, condition.value ?? null, scope.context);
    const narrowed = subject.prefilter?.(condition);
    return narrowed ? and([narrowed, exact]) : exact;
  } catch (error) {
    // A negative operator behind a relation is compiled as the opposite of its opposite; the error names the one in
    // the request.
    if (error instanceof OperatorProblem) throw unknownOperator(condition, error.availableValues ?? []);
    if (error instanceof FieldProblem) throw refusedValue(condition, error, wayByName(condition, scope));
    throw error;
  }
}

function compileForRule(condition: FilterCondition, scope: ObjectScope): Sql {
  const subject = rulesSubject(condition.field, scope);
  const operator = subject && operatorFor(condition, subject);
  if (!operator) return sql`false`;
  const { context } = scope;
  // Rules use the organization's days: with the request's time zone, callers could choose what they see.
  const inItsDays = {
    get now() {
      return context.now; // a getter: SQL that reads the time must not be cached
    },
    timeZone: context.model.timeZone,
  };
  try {
    return operator(subject.operand, condition.value ?? null, inItsDays);
  } catch (error) {
    if (error instanceof FieldProblem) return sql`false`;
    throw error;
  }
}

/**
 * The subject that a caller names: a field, or one behind a relation. Throws INVALID_FIELD, and VALIDATION_ERROR when
 * the budget is exceeded.
 */
export function callersSubject(name: string, scope: CallersScope): Subject {
  const { visibility } = scope.context;
  const [first, path] = splitPath(name);
  const names = () => visibleAttributes(scope.object, visibility).map((field) => field.name);
  if (path?.includes('.')) throw unknownField(name, scope.object, names(), oneRelation);
  const field = attributeFor(scope.object, first, visibility);
  if (path === undefined) {
    scope.spend(name);
    return { ...subjectOf(field, scope), prefilter: (condition) => textPrefilter(field, condition, scope) };
  }
  if (fieldType(field.type).within) return callersWithin(field, path, scope, 'single values');
  const target = relatedScope(field, scope);
  if (!target || visibility.rows(target.object.name) === 'none')
    throw unknownField(name, scope.object, names(), field.relationConfig ? '' : noRelation(first));
  const attribute = attributeFor(target.object, path, visibility);
  scope.spend(name);
  return subjectBeyond(
    subjectOf(attribute, target),
    subjectOf(field, scope),
    target,
    visibleRow(target),
    scope.mayJoin(),
  );
}

/** The part of a field's value that a caller names. Throws INVALID_FIELD with the possible names. */
function callersWithin(
  field: FieldDef,
  path: string,
  scope: CallersScope,
  admitted: 'single values' | 'sets, too',
): Subject {
  const all = Object.entries(withinOf(field, scope)).filter(([, { each }]) => !each || admitted === 'sets, too');
  const [, named] = all.find(([known]) => known === path) ?? [];
  const subject = named && subjectWithin(field, path, scope, named.each ? scope.mayJoin() : true);
  const name = `${field.name}.${path}`;
  if (!subject) {
    const names = all.map(([known]) => `${field.name}.${known}`);
    throw unknownField(name, scope.object, names);
  }
  scope.spend(name);
  return subject;
}

/**
 * The subject of a caller's filter: a named field, members of a set, or the links of a MANY_TO_MANY. Throws as
 * `callersSubject`.
 */
function filteredSubject(name: string, scope: CallersScope): Subject {
  const [first, path] = splitPath(name);
  const field = path === undefined || path.includes('.') ? undefined : resolveAttribute(scope.object, first);
  if (!field || path === undefined || !scope.context.visibility.shows(scope.object.name, field.name))
    return callersSubject(name, scope);
  if (fieldType(field.type).within) return callersWithin(field, path, scope, 'sets, too');
  if (!field.linkTable) return callersSubject(name, scope);
  const links = subjectOfLinks(field, path, scope, scope.mayJoin());
  if (links) {
    scope.spend(name);
    return links;
  }
  const parts = (field.junctionFields ?? []).map((part) => `${first}.${part.name}`);
  throw unknownField(name, scope.object, [`${first}.id`, ...parts]);
}

function rulesSubject(name: string, scope: ObjectScope): Subject | undefined {
  const [first, path] = splitPath(name);
  const field = resolveAttribute(scope.object, first);
  if (!field || path === undefined) return field && subjectOf(field, scope);
  if (field.linkTable !== undefined) return subjectOfLinks(field, path, scope);
  const within = subjectWithin(field, path, scope);
  if (within) return within;
  const target = relatedScope(field, scope);
  const attribute = target && resolveAttribute(target.object, path);
  if (!target || !attribute) return undefined;
  return subjectBeyond(
    subjectOf(attribute, target),
    subjectOf(field, scope),
    target,
    and([aliveRow(target), ...rowCondition(target)]),
  );
}

function operatorFor(condition: FilterCondition, subject: Subject): Operator | undefined {
  const known = operatorNames.find((name) => name === condition.operator);
  return known && subject.operators[known];
}

function relatedScope(relation: FieldDef, scope: ObjectScope): ObjectScope | undefined {
  if (relation.relationConfig?.relationType !== 'BELONGS_TO_ONE') return undefined;
  const object = relatedObject(scope.context.model, relation);
  return object && scopeBeyond(scope, object);
}

function namesOf({ operators }: Subject): readonly OperatorName[] {
  return operatorNames.filter((name) => operators[name]);
}

function unknownOperator({ field, operator }: FilterCondition, available: readonly string[]): KithError {
  const message = `${operator} does not work on ${field}`;
  return errors.validation(message, [{ field, message: `can't be filtered by ${operator}` }], available);
}

function refusedValue({ field, operator }: FilterCondition, problem: FieldProblem, hint: string): KithError {
  const message = `The value of ${field} ${operator} ${problem.message}${hint}`;
  return errors.validation(message, [{ field, message: problem.message }], problem.availableValues);
}

/** Suggests the naming field for a relation compared with a name instead of an id, where the caller may see it. */
function wayByName({ field: name, value = null }: FilterCondition, scope: CallersScope): string {
  const { visibility } = scope.context;
  const field = resolveAttribute(scope.object, name);
  const target = field && relatedScope(field, scope)?.object;
  const isName = [value].flat().some((item) => typeof item === 'string' && !isUuid(item.trim()));
  if (!target || !isName || visibility.rows(target.name) === 'none') return '';
  const display = resolveAttribute(target, target.displayField);
  if (!display || !visibility.shows(target.name, display.name)) return '';
  return `; ${name}.${display.name} is what its record is called`;
}
