/** An aggregate as one statement: over all rows that the caller may see, or by groups. Repeated between writes it evaluates nothing. [spec: Aggregate] */
import { aggregateOf, type Aggregate } from '../fields/aggregate-sql.ts';
import { aggregateNames, type AggregateName } from '../fields/aggregates.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { ReadScope } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { errors, quoted } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, empty, sql, statement, type Sql, type Statement } from '../postgres/sql.ts';
import { attributeFor } from './attributes.ts';
import type { QueryContext } from './context.ts';
import { groupingOf, mostGroups, type Grouping } from './grouping.ts';
import { alias, conditionsOf, keyOf, type Asked } from './plan.ts';
import { readScope } from './read-scope.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';
import { changedSince, stateOf } from './versions.ts';

export interface AggregateRequest extends Asked {
  readonly field?: string | undefined;
  readonly function: string;
  readonly groupBy?: string | undefined;
}

/** What was answered, and the version of what it was made of. */
export interface RememberedAnswer {
  readonly version: string;
  /** `"value":…` or `"results":[…]`, and what stands beside it. */
  readonly text: string;
}

export interface AggregateAnswer extends RememberedAnswer {
  /** Rows of the object: what evaluating it again would read. */
  readonly rows: number;
}

export interface AggregatePlan {
  readonly statement: Statement;
  readonly memoKey: string;
  /** The field that the answer names. */
  readonly field: string;
  /** Asks whether what is remembered is still true; absent where nothing is. `read` takes its rows when the version is `remembered`. */
  readonly check: Statement | undefined;
  readonly remembered: string | undefined;
  read(rows: readonly Row[]): AggregateAnswer;
}

/**
 * Throws INVALID_OPERATION for a function that there is not, or not for the field, MISSING_REQUIRED_FIELD where it needs
 * one, and INVALID_FIELD for a field that the caller can't see.
 */
export function planAggregate(
  context: QueryContext,
  object: ObjectDef,
  request: AggregateRequest,
  recall: (memoKey: string) => RememberedAnswer | undefined,
): AggregatePlan {
  const scope = readScope(context, object, alias);
  const chosen = chosenOf(request, scope);
  const grouping = request.groupBy === undefined ? undefined : groupingOf(request.groupBy, scope, 'primary values');
  const conditions = conditionsOf(request, scope);
  const key = grouping?.key ?? sql`null::text`;
  const asked = sql`${request.function} ${request.groupBy ?? null} ${chosen.value} ${chosen.unit ?? empty} ${key}`;
  const memoKey = keyOf(scope, [...conditions, asked]);
  const remembered = recall(memoKey);

  const rows = sql`${tableOf(context.model, object.name)} ${scope.row}
    where ${and([changedSince(remembered?.version), ...conditions])}`;
  const answer = chosen.unit
    ? byUnit(chosen, chosen.unit, key, rows, grouping !== undefined)
    : byKey(chosen, key, rows, grouping !== undefined);
  const order = sql`a.value desc nulls last, a.key is null, ${grouping?.sequence(sql`a.key`) ?? sql`a.key`}`;
  const query = sql`with s as materialized (${stateOf(scope)})
    select s.version, s.rows, a.number, a.key, a.value::text, a.currencies from s left join (
      select a.*, row_number() over (order by ${order}) as number from (${answer}) a
      order by number limit ${mostGroups + 1}::int) a on true
    order by a.number`;
  return {
    statement: statement(query, context.model.version),
    memoKey,
    field: chosen.name,
    check: remembered && statement(sql`select s.version, s.rows from (${stateOf(scope)}) s`, context.model.version),
    remembered: remembered?.version,
    read(found) {
      const version = found[0]?.[0] ?? '0';
      const text = remembered?.version === version ? remembered.text : answerText(found, chosen, grouping);
      return { version, rows: Number(found[0]?.[1] ?? 0), text };
    },
  };
}

/** What is calculated, of what, and what the answer calls that. */
interface Chosen extends Aggregate {
  readonly name: string;
  /** SUM of amounts: what each is an amount of. */
  readonly unit: Sql | undefined;
}

function chosenOf(request: AggregateRequest, scope: ObjectScope & ReadScope): Chosen {
  const { object } = scope;
  const wanted = functionNamed(request.function);
  const field = fieldOf(request.field, wanted, scope);
  if (!field) return { ...aggregateOf('COUNT'), name: displayName(scope), unit: undefined };
  const operand = scope.operand(field.name);
  // A field of several columns is known by its own name, though filters know it as one of them.
  const declared = object.fields.find((known) => known.name === request.field) ?? field;
  const type = fieldType(declared.type);
  const allowed = type.aggregates(operand, declared);
  if (!allowed.includes(wanted)) {
    const message = `${wanted} does not work on ${declared.name}, which is of type ${declared.type}`;
    throw errors.invalidOperation(
      message,
      aggregateNames.filter((name) => allowed.includes(name)),
    );
  }
  const absent = type.absent?.(field, scope);
  const none = (operator: 'is_null' | 'is_empty') =>
    absent ?? type.operators[operator]?.(operand, null, scope.context) ?? sql`${operand.value} is null`;
  return {
    ...aggregateOf(wanted, { operand, isNull: none('is_null'), isEmpty: none('is_empty') }),
    name: declared.name,
    unit: wanted === 'SUM' ? type.unit?.(field, scope) : undefined,
  };
}

function functionNamed(name: string): AggregateName {
  const known = aggregateNames.find((candidate) => candidate === name);
  if (known) return known;
  throw errors.invalidOperation(
    `There is no function ${quoted(name)}${didYouMean(name, aggregateNames)}`,
    aggregateNames,
  );
}

/** Undefined where all rows are counted: COUNT takes a field that it does not know as none. */
function fieldOf(
  name: string | undefined,
  wanted: AggregateName,
  { object, context }: ObjectScope,
): FieldDef | undefined {
  if (name === undefined || name === '') {
    if (wanted === 'COUNT') return undefined;
    throw errors.missingField('field', `${wanted} is a function of one`);
  }
  try {
    return attributeFor(object, name, context.visibility);
  } catch (error) {
    if (wanted === 'COUNT') return undefined;
    throw error;
  }
}

/** The field that names a record; `id` where the caller may not see that one. */
function displayName({ object, context: { visibility } }: ObjectScope): string {
  const { name, displayField } = object;
  return object.attributes.has(displayField) && visibility.shows(name, displayField) ? displayField : 'id';
}

function byKey({ value }: Chosen, key: Sql, rows: Sql, isGrouped: boolean): Sql {
  return sql`select ${key} as key, ${value} as value, null::text as currencies from ${rows} ${isGrouped ? sql`group by 1` : empty}`;
}

function byUnit({ value }: Chosen, unit: Sql, key: Sql, rows: Sql, isGrouped: boolean): Sql {
  return sql`select ${isGrouped ? sql`g.key` : sql`null::text`} as key, sum(g.part) as value, case when count(g.unit) > 1 then
      json_object_agg(g.unit, g.part order by g.unit) filter (where g.unit is not null) end::text as currencies
    from (select ${key} as key, ${unit} as unit, ${value} as part from ${rows} group by 1, 2) g
    ${isGrouped ? sql`group by g.key` : empty}`;
}

/** Each row is version, rows of the object, number, key, value and amounts by currency. */
function answerText(rows: readonly Row[], { json }: Chosen, grouping: Grouping | undefined): string {
  const values = rows
    .filter((row) => row[2] !== null)
    .map(([, , , key = null, value = null, currencies = null]) => {
      const amounts = currencies === null ? '' : `,"currencies":${currencies}`;
      return { key, text: `"value":${value === null ? 'null' : json(value)}${amounts}` };
    });
  if (!grouping) return values[0]?.text ?? '"value":null';
  const results = values
    .slice(0, mostGroups)
    .map(({ key, text }) => `{"group":${key === null ? 'null' : grouping.json(key)},${text}}`);
  return `"results":[${results.join(',')}]${values.length > mostGroups ? ',"truncated":true' : ''}`;
}
