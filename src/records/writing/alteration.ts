/** Changes of records as a RowWrite: each row sets the same fields and is judged before and after the change. */
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
  /** `LinkChanges` as JSON text for links already written; null where they did not change. */
  readonly links: string | null;
}

/**
 * Builds the change of rows that the caller sees and may change. With `isJudged`, the rows' earlier state is already
 * judged under a lock of this transaction.
 */
export async function alteration(
  call: Call,
  object: ObjectDef,
  rows: readonly ChangedRow[],
  isJudged: boolean,
): Promise<RowWrite> {
  return alterationOf(call, object, await withSearchParts(object, rows), { isJudged, locks: true });
}

/**
 * Builds the change from rows that already have their search texts. Without `locks`, which takes a single row, it is
 * written only if no other transaction has changed it since it was read. A row that stays as it is then costs no lock,
 * and so no entry in the write-ahead log.
 */
export function alterationOf(
  call: Call,
  object: ObjectDef,
  rows: readonly (ChangedRow & Searchable)[],
  { isJudged, locks }: { readonly isJudged: boolean; readonly locks: boolean },
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
    reads: [...references.locks, given.clause(), (locks ? lockedRows : unlockedRow)(call, object, given)],
    from: future.from(!isFree || fits !== undefined || references.looksAhead),
    id: sql`was.id`,
    columns: changes.map((change) => ({ ...change, value: sql`will.${identifier(change.name)}` })),
    differs: givesTime(object, given) ? null : difference(changes, links),
    version: locks ? null : sql`was._version`,
    checks,
    before: beforeImage(object, new Set(changes.map(({ name }) => name))),
    links,
    missing: (id) => errors.recordNotFound(object.name, id),
  };
}

/** Selects `facts` about rows after the change, over the locked rows `was` and the changed rows `will`. */
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
  /** Returns the `from` of the rows `was` and `will`; `isWhole` includes unchanged columns. */
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

/** `was as (…)`: the records outside the trash, locked in id order. */
function lockedRows(call: Call, object: ObjectDef, { ids, onlyId }: Given): Sql {
  const rows = sql`select t.* from ${call.workspace.table(object.table)} t`;
  return ids.length === 1
    ? sql`was as materialized (${rows} where t.id = ${onlyId} and t.deleted_at is null for update)`
    : sql`was as materialized (${rows} where t.id = any(${ids}::uuid[]) and t.deleted_at is null order by t.id for update)`;
}

/** `was as (…)`: the only record, unless it is in the trash, and the version of it that was read; without a lock. */
function unlockedRow(call: Call, object: ObjectDef, { onlyId }: Given): Sql {
  return sql`was as materialized (select t.*, t.xmin as _version from ${call.workspace.table(object.table)} t
    where t.id = ${onlyId} and t.deleted_at is null)`;
}

/** Checks that the caller sees the row as it was and may change it. */
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

/** PERMISSION_DENIED for a record that the role may not change in its current state. */
export function mayNotChange({ name }: ObjectDef): KithError {
  return errors.permissionDenied(`Your role may not change this record of ${name}`);
}

function outOfReach({ name }: ObjectDef): KithError {
  return errors.permissionDenied(`Your role may not change a record of ${name} so that it is out of its reach`);
}

/** Whether the write gives `updated_at` itself; then no before-image is kept of it. */
function givesTime({ attributes }: ObjectDef, given: Given): boolean {
  const time = attributes.get('updated_at');
  return time !== undefined && given.has(time);
}

/** Derived columns; a change in these alone is no change. */
const following: ReadonlySet<string> = new Set(['updated_at', 'search_parts', 'search_text']);

/** A condition that values or links change. */
function difference(changes: readonly WrittenColumn[], links: Sql): Sql {
  const differing = changes
    .filter(({ name }) => !following.has(name))
    .map((column) => sql`${comparable('was', column)} is distinct from ${comparable('will', column)}`);
  return or([...differing, sql`${links} is not null`]);
}

/**
 * Compares numbers by value, as history does: 10.0 equals 10; all else as text, by its bytes: some types have no
 * equality operator, and Citus rewrites comparisons of whole rows.
 */
function comparable(row: 'was' | 'will', { name, isNumber }: WrittenColumn): Sql {
  const value = identifier(row, name);
  return isNumber === true ? value : sql`${value}::text collate "C"`;
}

/** The changes of field columns: given values, derived values and the time. */
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

/** The changes of the search texts, where some of them change. */
function searchChanges<Row extends GivenRow & Searchable>(object: ObjectDef, given: Given<Row>): WrittenColumn[] {
  if (given.rows.every(({ searchParts }) => Object.keys(searchParts).length === 0)) return [];
  const texts = given.add(sql`jsonb`, ({ searchParts }) => JSON.stringify(searchParts));
  const merged = sql`(was.search_parts || ${texts})`;
  return [
    { name: 'search_parts', type: sql`jsonb`, value: merged },
    { name: 'search_text', type: sql`text`, value: joinedParts(object, merged) },
  ];
}

/** The other columns of the table, unchanged. */
function unchanged(object: ObjectDef, changes: readonly WrittenColumn[]): WrittenColumn[] {
  const changed = new Set(changes.map(({ name }) => name));
  const own = ['deleted_at', 'search_parts', 'search_text'].map((name) => ({ name, type: sql`text` }));
  const stored = storedColumns(object).map((column) => ({ name: column.name, type: castType(column) }));
  return [...stored, ...own].flatMap(({ name, type }) =>
    changed.has(name) ? [] : [{ name, type, value: sql`was.${identifier(name)}` }],
  );
}
