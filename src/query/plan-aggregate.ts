/** An aggregate as one statement: over all rows that the caller may see, or by groups. A repetition between writes is answered from the cache. [spec: Aggregate] */
import { aggregateOf, type Aggregate } from '../fields/aggregate-sql.ts';
import { aggregateNames, type AggregateName } from '../fields/aggregates.ts';
import type { BucketName } from '../fields/date-buckets.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { ReadScope } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { errors, quoted } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, empty, sql, statement, type Sql, type Statement } from '../postgres/sql.ts';
import { visibleAttributes } from './attributes.ts';
import { Budget } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import { fieldNamed, groupingOf, mostGroups, type Grouping } from './grouping.ts';
import { alias, conditionsOf, keyOf, rowsOf, type Criteria } from './plan.ts';
import { readScope } from './read-scope.ts';
import { oneGrouping } from './several-groupings.ts';
import type { ObjectScope } from './row-scope.ts';
import { unitOf } from './units.ts';
import { callersSubject } from './where.ts';
import { changedSince, stateOf } from './versions.ts';

export interface AggregateRequest extends Criteria {
  readonly field?: string | undefined;
  readonly function: string;
  /** The fields whose values form a group; empty for none. */
  readonly groupBy: readonly string[];
  readonly bucket?: BucketName | undefined;
}

/** The result of a group; without groups there is one, with no key. */
export interface GroupOutcome {
  readonly key: string | null;
  /** `"value":…` with its accompanying members. */
  readonly text: string;
}

/** A cached result and the version of its data. The labels of ids are read each time. */
export interface RememberedAnswer {
  readonly version: string;
  /** At most one more than an answer shows. */
  readonly outcomes: readonly GroupOutcome[];
}

export interface AggregateAnswer extends RememberedAnswer {
  /** Rows of the object: the cost of evaluating it again. */
  readonly rows: number;
  /** `"value":…` or `"results":[…]`, with accompanying members. */
  readonly text: string;
}

export interface AggregatePlan {
  readonly statement: Statement;
  readonly cacheKey: string;
  /** The field name in the answer. */
  readonly field: string;
  /**
   * Checks whether the cached result is current; absent without one. `read` takes its rows when the version is
   * `remembered`.
   */
  readonly check: Statement | undefined;
  readonly remembered: string | undefined;
  read(rows: readonly Row[]): AggregateAnswer;
}

/**
 * Throws INVALID_OPERATION for a function unknown or not allowed for the field, MISSING_REQUIRED_FIELD where it needs
 * a field, and INVALID_FIELD for one that the caller can't see.
 */
export function planAggregate(
  context: QueryContext,
  object: ObjectDef,
  request: AggregateRequest,
  recall: (cacheKey: string) => RememberedAnswer | undefined,
): AggregatePlan {
  const scope = callersScope(readScope(context, object, alias), new Budget());
  const chosen = chosenOf(request, scope);
  const grouping = oneGrouping(groupingsOf(request, scope));
  const conditions = conditionsOf(request, scope);
  const key = grouping?.key ?? sql`null::text`;
  const computation = sql`${request.function} ${request.groupBy.join(',')} ${chosen.value} ${chosen.unit ?? empty} ${key}`;
  const cacheKey = keyOf(scope, [...conditions, computation]);
  const remembered = recall(cacheKey);
  // Before the displays, which are read each time and must not affect the cached state.
  const state = stateOf(scope);
  const display = (of: Sql) => grouping?.display?.selected(of) ?? sql`null::text`;

  const rows = sql`${rowsOf(scope)} where ${and([changedSince(remembered?.version), ...conditions])}`;
  const answer = chosen.unit
    ? byUnit(chosen, chosen.unit, key, rows, grouping !== undefined)
    : byKey(chosen, key, rows, grouping !== undefined);
  const inSequence = sql`a.key is null, ${grouping?.sequence(sql`a.key`) ?? sql`a.key`}`;
  const order = grouping?.isBucket ? inSequence : sql`a.value desc nulls last, ${inSequence}`;
  const found = sql`select row_number() over (order by ${order}) as number, a.key, a.value::text as value, a.currencies
    from (${answer}) a order by number limit ${mostGroups + 1}::int`;
  const known = grouping?.display && remembered;
  const query = sql`with s as materialized (${state}), a as (${known ? sql`(${found}) union all (${knownKeys(known)})` : found})
    select s.version, s.rows, a.number, a.key, a.value, a.currencies, ${display(sql`a.key`)} from s left join a on true
    order by a.number`;
  const check = known
    ? sql`with s as materialized (${state}) select s.version, s.rows, a.number, a.key, a.value, a.currencies,
        ${display(sql`a.key`)} from s left join (${knownKeys(known)}) a on true order by a.number`
    : sql`select s.version, s.rows from (${state}) s`;
  return {
    statement: statement(query, context.model.version),
    cacheKey,
    field: chosen.name,
    check: remembered && statement(check, context.model.version),
    remembered: remembered?.version,
    read(rows) {
      const version = rows[0]?.[0] ?? '0';
      const isKnown = remembered?.version === version;
      const outcomes = isKnown ? remembered.outcomes : outcomesOf(rows, chosen);
      const text = grouping ? resultsText(outcomes, rows, grouping) : (outcomes[0]?.text ?? '"value":null');
      return { version, rows: Number(rows[0]?.[1] ?? 0), outcomes, text };
    },
  };
}

/** The cached keys while they are current, to read the labels of their ids. */
function knownKeys({ version, outcomes }: RememberedAnswer): Sql {
  return sql`select k.number, k.key, null::text as value, null::text as currencies
    from unnest(${outcomes.map(({ key }) => key)}::text[]) with ordinality k (key, number)
    where (select version from s) = ${version}::numeric`;
}

function groupingsOf({ groupBy, bucket }: AggregateRequest, scope: CallersScope & ReadScope): readonly Grouping[] {
  const groupings = groupBy.map((name) => groupingOf(name, scope, 'primary values', bucket));
  if (bucket === undefined || groupings.some(({ isBucket }) => isBucket)) return groupings;
  const days = visibleAttributes(scope.object, scope.context.visibility).filter(({ name }) =>
    ['date', 'datetime'].includes(scope.operand(name).kind),
  );
  throw errors.invalidOperation(
    'bucket needs a group_by of days or times',
    days.map(({ name }) => name),
  );
}

/** The function, its field, and the field name in the answer. */
interface Chosen extends Aggregate {
  readonly name: string;
  /** The unit of the amounts, for SUM. */
  readonly unit: Sql | undefined;
}

function chosenOf(request: AggregateRequest, scope: CallersScope & ReadScope): Chosen {
  const { object } = scope;
  const wanted = functionNamed(request.function);
  const field = fieldOf(request.field, wanted, scope);
  if (!field) return { ...aggregateOf('COUNT'), name: displayName(scope), unit: undefined };
  if (request.field?.includes('.')) return chosenBeyond(request.field, wanted, scope);
  scope.spend(field.name);
  // A field with several columns is reported under its own name, though filters use one of the columns.
  const declared = object.fields.find((known) => known.name === request.field) ?? field;
  const type = fieldType(declared.type);
  const units = wanted === 'SUM' ? (type.units?.(field, scope) ?? []) : [];
  // The unit of a ROLLUP takes another look at its records.
  for (const { id, name, rollup } of object.fields)
    if (rollup && units.some(({ key }) => key === id)) scope.spend(name);
  const operand = scope.operand(field.name);
  requireFunction(wanted, declared, type.aggregates(operand, declared));
  const absent = type.absent?.(field, scope);
  const none = (operator: 'is_null' | 'is_empty') =>
    absent ?? type.operators[operator]?.(operand, null, scope.context) ?? sql`${operand.value} is null`;
  return {
    ...aggregateOf(wanted, { operand, isNull: none('is_null'), isEmpty: none('is_empty') }),
    name: declared.name,
    unit: unitOf(units),
  };
}

/** A field behind a relation: a related record counts once per record that leads to it. */
function chosenBeyond(name: string, wanted: AggregateName, scope: CallersScope & ReadScope): Chosen {
  const { operand, operators } = callersSubject(name, scope);
  const field = fieldNamed(name, scope);
  const { aggregates, units } = fieldType(field.type);
  const allowed = aggregates(operand, field);
  // The unit is behind the relation, too, so a sum over several currencies could not report it.
  requireFunction(wanted, { name, type: field.type }, units ? allowed.filter((known) => known !== 'SUM') : allowed);
  const none = (operator: 'is_null' | 'is_empty') =>
    operators[operator]?.(operand, null, scope.context) ?? sql`${operand.value} is null`;
  return {
    ...aggregateOf(wanted, { operand, isNull: none('is_null'), isEmpty: none('is_empty') }),
    name,
    unit: undefined,
  };
}

/** Throws INVALID_OPERATION with the allowed functions. */
function requireFunction(
  wanted: AggregateName,
  { name, type }: Pick<FieldDef, 'name' | 'type'>,
  allowed: readonly AggregateName[],
): void {
  if (allowed.includes(wanted)) return;
  const message = `${wanted} does not work on ${name}, which is of type ${type}`;
  throw errors.invalidOperation(
    message,
    aggregateNames.filter((known) => allowed.includes(known)),
  );
}

/** Names of the functions elsewhere. */
const otherFunctionNames: ReadonlyMap<string, AggregateName> = new Map([
  ['average', 'AVG'],
  ['mean', 'AVG'],
  ['total', 'SUM'],
  ['minimum', 'MIN'],
  ['maximum', 'MAX'],
  ['unique', 'COUNT_DISTINCT'],
  ['countunique', 'COUNT_DISTINCT'],
  ['stdev', 'STDDEV'],
  ['var', 'VARIANCE'],
]);

function functionNamed(name: string): AggregateName {
  const known = aggregateNames.find((candidate) => candidate === name);
  if (known) return known;
  const [, called = name] = /^\s*(\w+)\s*\(/.exec(name) ?? []; // SUM(amount)
  const meant = otherFunctionNames.get(called.toLowerCase()) ?? called;
  throw errors.invalidOperation(
    `There is no function ${quoted(name)}${didYouMean(meant, aggregateNames)}`,
    aggregateNames,
  );
}

/** Undefined where all rows are counted: COUNT ignores an unknown field. */
function fieldOf(name: string | undefined, wanted: AggregateName, scope: CallersScope): FieldDef | undefined {
  if (name === undefined || name === '') {
    if (wanted === 'COUNT') return undefined;
    throw errors.missingField('field', `${wanted} is a function of one`);
  }
  try {
    if (name.includes('.')) callersSubject(name, scope);
    return fieldNamed(name, scope);
  } catch (error) {
    if (wanted === 'COUNT') return undefined;
    throw error;
  }
}

/** The display field of a record; `id` where the caller may not see it. */
function displayName({ object, context: { visibility } }: ObjectScope): string {
  const { name, displayField } = object;
  return object.attributes.has(displayField) && visibility.shows(name, displayField) ? displayField : 'id';
}

function byKey({ value }: Chosen, key: Sql, rows: Sql, isGrouped: boolean): Sql {
  return sql`select ${key} as key, ${value} as value, null::text as currencies from ${rows} ${isGrouped ? sql`group by 1` : empty}`;
}

function byUnit({ value }: Chosen, unit: Sql, key: Sql, rows: Sql, isGrouped: boolean): Sql {
  return sql`select ${isGrouped ? sql`g.key` : sql`null::text`} as key, sum(g.part) as value, case when count(g.unit) > 1 or bool_or(strpos(g.unit, '+') > 0) then
      json_object_agg(g.unit, g.part order by g.unit) filter (where g.unit is not null) end::text as currencies
    from (select ${key} as key, ${unit} as unit, ${value} as part from ${rows} group by 1, 2) g
    ${isGrouped ? sql`group by g.key` : empty}`;
}

/** Reads rows of: version, rows of the object, number, key, value, amounts by currency, and label. */
function outcomesOf(rows: readonly Row[], { json }: Chosen): readonly GroupOutcome[] {
  return rows
    .filter((row) => row[2] !== null)
    .map(([, , , key = null, value = null, currencies = null]) => {
      const amounts = currencies === null ? '' : `,"currencies":${currencies}`;
      return { key, text: `"value":${value === null ? 'null' : json(value)}${amounts}` };
    });
}

/** The rows are in the order of the outcomes, where keys are ids. */
function resultsText(outcomes: readonly GroupOutcome[], rows: readonly Row[], { display, json }: Grouping): string {
  const results = outcomes.slice(0, mostGroups).map(({ key, text }, index) => {
    const called = key === null ? 'null' : display?.json(key, rows[index]?.[6] ?? null);
    return `{"group":${key === null ? 'null' : json(key)},${display ? `"display":${called},` : ''}${text}}`;
  });
  return `"results":[${results.join(',')}]${outcomes.length > mostGroups ? ',"truncated":true' : ''}`;
}
