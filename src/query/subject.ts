/** The meaning of a name in a filter or a sort: a field of the row, of a related record, or of a link. */
import type { FieldDef } from '../fields/field-def.ts';
import type { Within } from '../fields/field-type.ts';
import { dateOperand, textOperand } from '../fields/operands.ts';
import type { Operand, Operator, OperatorName, OperatorSet } from '../fields/operators/operator.ts';
import { fieldType } from '../fields/registry.ts';
import type { FilterCondition } from '../model/model.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';
import { linkRows, tableOf, type ObjectScope } from './row-scope.ts';

export interface Subject {
  readonly operand: Operand;
  readonly operators: OperatorSet;
  /** The ids of the fields along the path. */
  readonly identity: string;
  /** A necessary condition that the search index can answer; undefined where there is none. */
  prefilter?(condition: FilterCondition): Sql | undefined;
}

/** Why a longer path is invalid. */
export const oneRelation = 'a path goes through one relation only';

/** Why a path through a plain field is invalid. */
export const noRelation = (field: string): string => `${field} is no relation`;

/** Splits `company_id.industry` into a field of the row and the path behind it. */
export function splitPath(name: string): [first: string, path: string | undefined] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** A field of the scope's own row as the subject of a condition. */
export function subjectOf(field: FieldDef, scope: ObjectScope): Subject {
  const operand = { ...scope.operand(field.name), ...wholeDayOf(field, scope) };
  return { operand, operators: fieldType(field.type).operators, identity: field.id };
}

/** For a time, by `object.field`, the field that marks it as a whole day. [spec: Task] */
const dayMarks: ReadonlyMap<string, string> = new Map([['tasks.due_date', 'due_all_day']]);

/** A whole day is stored as its start in the organization's zone, and means that day in every zone. */
function wholeDayOf({ name }: FieldDef, scope: ObjectScope): Pick<Operand, 'wholeDay'> {
  const { object, context } = scope;
  const mark = object.kind === 'managed' ? dayMarks.get(`${object.name}.${name}`) : undefined;
  if (mark === undefined || !context.visibility.shows(object.name, mark)) return {};
  return { wholeDay: { isOne: scope.operand(mark).value, timeZone: context.model.timeZone } };
}

/** Negative operators and their positive opposites. */
const opposites: Partial<Readonly<Record<OperatorName, OperatorName>>> = {
  not_equals: 'equals',
  not_in: 'in',
  is_null: 'is_not_null',
  is_empty: 'is_not_empty',
};

/**
 * A related record's field as seen from the row: null when there is no such record, or no visible one. A filter asks
 * whether a matching record exists, which PostgreSQL can answer for all rows at once by a join; a value would be
 * looked up per row.
 */
export function subjectBeyond(
  inner: Subject,
  relation: Subject,
  target: ObjectScope,
  counts: Sql,
  mayJoin = true,
): Subject {
  const { sort, ...operand } = inner.operand;
  const from = sql`from ${tableOf(target.context.model, target.object.table)} ${target.row}
    where ${target.row}.id = ${relation.operand.value} and ${counts}`;
  const seen = (value: Sql) => sql`(select ${value} ${from})`;
  return {
    operand: {
      ...operand,
      value: seen(operand.value),
      ...(sort && { sort: { ...sort, value: seen(sort.value), nullable: true } }),
    },
    operators: someMatch(
      inner.operators,
      (operator) => (_, value, context) =>
        some(sql`select ${from} and ${operator(inner.operand, value, context)}`, mayJoin),
    ),
    identity: `${relation.identity}.${inner.identity}`,
  };
}

/** Whether such a row exists; PostgreSQL does not turn the wrapped form into a join. */
function some(select: Sql, mayJoin: boolean): Sql {
  return mayJoin ? sql`exists (${select})` : sql`(exists (${select}) is true)`;
}

/** Applies the operators to several values: negative ones hold where no value matches the opposite. */
function someMatch(operators: OperatorSet, convert: (operator: Operator) => Operator): OperatorSet {
  const entries = Object.entries(operators).map(([key, operator]): [string, Operator] => {
    const positive = operators[opposites[key as OperatorName] ?? (key as OperatorName)];
    if (!positive || positive === operator) return [key, convert(operator)];
    return [key, (operand, value, context) => sql`not ${convert(positive)(operand, value, context)}`];
  });
  return Object.fromEntries(entries);
}

/** The part `name` of the field's value. For a set, some member must match, and for a negative operator none. */
export function subjectWithin(field: FieldDef, name: string, scope: ObjectScope, mayJoin = true): Subject | undefined {
  const within = withinNamed(field, name, scope);
  if (!within) return undefined;
  const { type, value, each } = within;
  const { operators } = fieldType(type);
  const identity = `${field.id}.${name}`;
  if (!each) return { operand: type === 'TEXT' ? textOperand(value) : dateOperand(value), operators, identity };
  const convert = (operator: Operator): Operator => {
    return (operand, given, context) => some(sql`select ${each} where ${operator(operand, given, context)}`, mayJoin);
  };
  return { operand: { kind: 'text', value }, operators: someMatch(operators, convert), identity };
}

/** The part `name` of the field's value; undefined where there is none. */
export function withinNamed(field: FieldDef, name: string, scope: ObjectScope): Within | undefined {
  const within = withinOf(field, scope);
  return Object.hasOwn(within, name) ? within[name] : undefined;
}

/** The parts of the field's value, by name. */
export function withinOf(field: FieldDef, scope: ObjectScope): Readonly<Record<string, Within>> {
  return fieldType(field.type).within?.(field, scope) ?? {};
}

/**
 * A name behind a MANY_TO_MANY: a junction field (`contacts.role`), of which some link must match and for a negative
 * operator none, or `id`, which means the field itself. Undefined for anything else.
 */
export function subjectOfLinks(links: FieldDef, name: string, scope: ObjectScope, mayJoin = true): Subject | undefined {
  if (links.linkTable === undefined) return undefined;
  if (name === 'id') return subjectOf(links, scope);
  const part = links.junctionFields?.find((field) => field.name === name);
  if (!part) return undefined;
  const { link, from } = linkRows(scope, links);
  const type = fieldType(part.type);
  const operators = someMatch(
    type.operators,
    (operator) => (operand, value, context) =>
      some(sql`select ${from} and ${operator(operand, value, context)}`, mayJoin),
  );
  const { kind, options } = type.operand(part, { ...scope, row: link });
  const [column] = type.columns(part);
  return {
    operand: { kind, value: sql`${link}.${identifier(column?.name ?? '')}`, ...(options && { options }) },
    operators,
    identity: `${links.id}.${part.id}`,
  };
}
