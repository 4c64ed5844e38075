/** Changes of records as a write of rows: each sets the same fields, and is judged as its row was and as it will be. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { identifier, join, or, sql, withClauses, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { ObjectScope } from '../../query/row-scope.ts';
import { admitsAll, compileRule, visibleRow } from '../../query/where.ts';
import { castType, storedColumns } from './columns.ts';
import { checkRequiredChildren, settledChildren, type SettledChildren } from './dependents.ts';
import { Given, setting, type GivenRow } from './given.ts';
import { linksIn } from './insertion.ts';
import { beforeImage } from './leave.ts';
import { hugeRecord, sizeCondition } from './record-size.ts';
import { checkReferences } from './references.ts';
import type { Check, RowWrite, WrittenColumn } from './row-write.ts';
import { joinedParts, withSearchParts, type Searchable } from './search-parts.ts';
import { timeOf } from './time-of.ts';

export interface ChangedRow extends GivenRow {
  /** `LinkChanges` as JSON text, of links that were written already; null where they did not change. */
  readonly links: string | null;
}

/**
 * Changes of rows that the caller sees and may change, before and after. With `isJudged`, the rows as they were are judged
 * already, under a lock of this transaction.
 */
export async function alteration(
  call: Call,
  object: ObjectDef,
  rows: readonly ChangedRow[],
  isJudged: boolean,
): Promise<RowWrite> {
  return alterationOf(call, object, await withSearchParts(object, rows), isJudged);
}

/** The same of rows that have their search texts. */
export function alterationOf(
  call: Call,
  object: ObjectDef,
  rows: readonly (ChangedRow & Searchable)[],
  isJudged: boolean,
): RowWrite {
  const future = futureOf(call, object, rows);
  const { given, changes, settled } = future;
  const links = linksIn(given);
  const was = objectScope(call, object, 'was');
  const will = objectScope(call, object, 'will');
  const rule = call.visibility.updates(object.name);
  const isFree = admitsAll(rule, object);
  const updated = { was: was.row, will: will.row };
  const references = checkReferences(call, object, given, updated);
  const fits = sizeCondition(object, rows, was.row, will.row);
  const checks: Check[] = [
    ...(isJudged ? [] : judgements(call, was)),
    ...(isFree ? [] : [{ condition: compileRule(rule, will), problem: () => outOfReach(object) }]),
    ...(fits ? [{ condition: fits, problem: () => hugeRecord(object) }] : []),
    ...given.checks(references.checks),
    ...checkRequiredChildren(call, object, settled, updated),
  ];
  return {
    object,
    action: 'update',
    ids: given.ids,
    reads: [...references.locks, given.clause(), lockedRows(call, object, given)],
    from: future.from(!isFree || fits !== undefined || references.looksAhead),
    id: sql`was.id`,
    columns: changes.map((change) => ({ ...change, value: sql`will.${identifier(change.name)}` })),
    differs: givesTime(object, given) ? null : difference(changes, links),
    checks,
    before: beforeImage(object, new Set(changes.map(({ name }) => name))),
    links,
    missing: (id) => errors.recordNotFound(object.name, id),
  };
}

/** Facts of rows as they would be: selects `facts`, over the rows `was`, which are locked, and `will`. */
export async function lookAhead(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly GivenRow[],
  facts: readonly Sql[],
): Promise<readonly Row[]> {
  const { given, from } = futureOf(call, object, await withSearchParts(object, rows));
  const clauses = [given.clause(), lockedRows(call, object, given)];
  return (await tx.run(sql`${withClauses(clauses)} select ${join(facts, ', ')} from ${from(true)}`)).rows;
}

interface Future<Row extends GivenRow> {
  readonly given: Given<Row>;
  readonly changes: readonly WrittenColumn[];
  readonly settled: SettledChildren;
  /** The rows `was` and `will`; `isWhole`: with all columns, not only those that change. */
  readonly from: (isWhole: boolean) => Sql;
}

function futureOf<Row extends GivenRow & Searchable>(call: Call, object: ObjectDef, rows: readonly Row[]): Future<Row> {
  const given = new Given(rows);
  const settled = settledChildren(call, object, given, sql`was`);
  const changes = [...storedChanges(call, object, given, settled.next), ...searchChanges(object, given)];
  const from = (isWhole: boolean) => {
    const image = isWhole ? [...changes, ...unchanged(object, changes)] : changes;
    const columns = image.map(({ name, value }) => sql`${value} as ${identifier(name)}`);
    return sql`was join given on given.id = was.id${settled.beside} cross join lateral (select ${join(columns, ', ')}) will`;
  };
  return { given, changes, settled, from };
}

/** `was as (…)`: the records outside the trash, locked in the order of their ids. */
function lockedRows(call: Call, object: ObjectDef, { ids, onlyId }: Given): Sql {
  const rows = sql`select t.* from ${call.workspace.table(object.table)} t`;
  return ids.length === 1
    ? sql`was as materialized (${rows} where t.id = ${onlyId} and t.deleted_at is null for update)`
    : sql`was as materialized (${rows} where t.id = any(${ids}::uuid[]) and t.deleted_at is null order by t.id for update)`;
}

/** Whether the caller sees the row as it was, and may change it. */
function judgements(call: Call, was: ObjectScope): Check[] {
  const { object } = was;
  const rule = call.visibility.updates(object.name);
  const sees = { condition: visibleRow(was), problem: (id: string) => errors.recordNotFound(object.name, id) };
  const may = { condition: compileRule(rule, was), problem: () => mayNotChange(object) };
  return [
    ...(admitsAll(call.visibility.rows(object.name), object) ? [] : [sees]),
    ...(admitsAll(rule, object) ? [] : [may]),
  ];
}

/** The role may not change the record as it is. */
export function mayNotChange({ name }: ObjectDef): KithError {
  return errors.permissionDenied(`Your role may not change this record of ${name}`);
}

function outOfReach({ name }: ObjectDef): KithError {
  return errors.permissionDenied(`Your role may not change a record of ${name} so that it is out of its reach`);
}

/** Whether the time of the change is a value like the others, of which no image is kept. */
function givesTime({ attributes }: ObjectDef, given: Given): boolean {
  const time = attributes.get('updated_at');
  return time !== undefined && given.has(time);
}

/** What follows the others by itself. */
const following: ReadonlySet<string> = new Set(['updated_at', 'search_parts', 'search_text']);

/** Whether values or links change. */
function difference(changes: readonly WrittenColumn[], links: Sql): Sql {
  const differing = changes
    .filter(({ name }) => !following.has(name))
    .map((column) => sql`${comparable('was', column)} is distinct from ${comparable('will', column)}`);
  return or([...differing, sql`${links} is not null`]);
}

/**
 * Numbers by their value, as history compares them: 10.0 is 10. All else as text, by its bytes: some types have no equality, and
 * Citus hands the comparison of whole rows on as another one.
 */
function comparable(row: 'was' | 'will', { name, isNumber }: WrittenColumn): Sql {
  const value = identifier(row, name);
  return isNumber === true ? value : sql`${value}::text collate "C"`;
}

/** What is set of the columns of fields: what is given, what follows from it, and the time. */
function storedChanges(
  call: Call,
  object: ObjectDef,
  given: Given,
  settled: ReadonlyMap<FieldDef, Sql>,
): WrittenColumn[] {
  const now = timeOf(call);
  return storedColumns(object).flatMap((column) => {
    const isTime = column.name === 'updated_at';
    const value = given.value(column.field, column.at) ?? (isTime ? now : settled.get(column.field));
    return value ? [setting(column, value)] : [];
  });
}

/** The search texts, where some of them change. */
function searchChanges<Row extends GivenRow & Searchable>(object: ObjectDef, given: Given<Row>): WrittenColumn[] {
  if (given.rows.every(({ searchParts }) => Object.keys(searchParts).length === 0)) return [];
  const texts = given.add(sql`jsonb`, ({ searchParts }) => JSON.stringify(searchParts));
  const merged = sql`(was.search_parts || ${texts})`;
  return [
    { name: 'search_parts', type: sql`jsonb`, value: merged },
    { name: 'search_text', type: sql`text`, value: joinedParts(object, merged) },
  ];
}

/** The other columns of the table, as they were. */
function unchanged(object: ObjectDef, changes: readonly WrittenColumn[]): WrittenColumn[] {
  const changed = new Set(changes.map(({ name }) => name));
  const own = ['deleted_at', 'search_parts', 'search_text'].map((name) => ({ name, type: sql`text` }));
  const stored = storedColumns(object).map((column) => ({ name: column.name, type: castType(column) }));
  return [...stored, ...own].flatMap(({ name, type }) =>
    changed.has(name) ? [] : [{ name, type, value: sql`was.${identifier(name)}` }],
  );
}
