/** What a name in a filter or a sort stands for: a field of the row, of a record that it points to, or of one of its links. */
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
  /** The ids of the fields on the way. */
  readonly identity: string;
  /** What every row that matches must also satisfy, answered by the search index; undefined where there is none. */
  prefilter?(condition: FilterCondition): Sql | undefined;
}

/** Why a longer path names nothing. */
export const oneRelation = 'a path goes through one relation only';

/** Why a path through a plain field names nothing. */
export const noRelation = (field: string): string => `${field} is no relation`;

/** `company_id.industry`: a field of the row, and one of what it leads to. */
export function splitPath(name: string): [first: string, path: string | undefined] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** The field of the scope's own row as something that a condition can be about. */
export function subjectOf(field: FieldDef, scope: ObjectScope): Subject {
  const operand = { ...scope.operand(field.name), ...wholeDayOf(field, scope) };
  return { operand, operators: fieldType(field.type).operators, identity: field.id };
}

/** By a time's place the field that says whether it stands for a whole day. [spec: Task] */
const dayMarks: ReadonlyMap<string, string> = new Map([['tasks.due_date', 'due_all_day']]);

/** What stands for a day is kept as its begin in the organization's zone, and is that day's in every zone. */
function wholeDayOf({ name }: FieldDef, scope: ObjectScope): Pick<Operand, 'wholeDay'> {
  const { object, context } = scope;
  const mark = object.kind === 'managed' ? dayMarks.get(`${object.name}.${name}`) : undefined;
  if (mark === undefined || !context.visibility.shows(object.name, mark)) return {};
  return { wholeDay: { isOne: scope.operand(mark).value, timeZone: context.model.timeZone } };
}

/** Operators that ask for none where others ask for some. */
const opposites: Partial<Readonly<Record<OperatorName, OperatorName>>> = {
  not_equals: 'equals',
  not_in: 'in',
  is_null: 'is_not_null',
  is_empty: 'is_not_empty',
};

/**
 * A related record's field as seen from the row: null when there is no such record, or none that counts. A filter asks whether
 * there is a record that matches, which PostgreSQL can answer for all rows at once, by a join; a value it would look up row by row.
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

/** Whether there is such a row; what does not stand as it is in a condition is no join to PostgreSQL. */
function some(select: Sql, mayJoin: boolean): Sql {
  return mayJoin ? sql`exists (${select})` : sql`(exists (${select}) is true)`;
}

/** The operators as `asked` of several rows: the negative ones hold where none of them has the opposite. */
function someMatch(operators: OperatorSet, asked: (operator: Operator) => Operator): OperatorSet {
  const entries = Object.entries(operators).map(([key, operator]): [string, Operator] => {
    const positive = operators[opposites[key as OperatorName] ?? (key as OperatorName)];
    if (!positive || positive === operator) return [key, asked(operator)];
    return [key, (operand, value, context) => sql`not ${asked(positive)(operand, value, context)}`];
  });
  return Object.fromEntries(entries);
}

/** What `name` means within the field's value; of a set, some member must match, and for a negative operator none. */
export function subjectWithin(field: FieldDef, name: string, scope: ObjectScope, mayJoin = true): Subject | undefined {
  const within = withinNamed(field, name, scope);
  if (!within) return undefined;
  const { type, value, each } = within;
  const { operators } = fieldType(type);
  const identity = `${field.id}.${name}`;
  if (!each) return { operand: type === 'TEXT' ? textOperand(value) : dateOperand(value), operators, identity };
  const asked = (operator: Operator): Operator => {
    return (operand, given, context) => some(sql`select ${each} where ${operator(operand, given, context)}`, mayJoin);
  };
  return { operand: { kind: 'text', value }, operators: someMatch(operators, asked), identity };
}

/** What `name` is within the field's value; undefined where there is no such thing. */
export function withinNamed(field: FieldDef, name: string, scope: ObjectScope): Within | undefined {
  const within = withinOf(field, scope);
  return Object.hasOwn(within, name) ? within[name] : undefined;
}

/** What lies within the field's value, by its name. */
export function withinOf(field: FieldDef, scope: ObjectScope): Readonly<Record<string, Within>> {
  return fieldType(field.type).within?.(field, scope) ?? {};
}

/**
 * What `name` means behind a MANY_TO_MANY: one of the links' own fields (`contacts.role`), of which some link must match and
 * for a negative operator none, or `id`, which is what the field itself means. Undefined for anything else.
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
