/**
 * A grouped list as one statement: the groups with their counts, and the first records of each. Where an index finds
 * a group's rows, each group is a separate page; else all rows are read once and numbered. [spec: Records]
 */
import { jsonString } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { joined, together, type LongText } from '../lib/long-text.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Cell, Row } from '../postgres/database.ts';
import { and, join, sql, statement, trusted, type Sql, type Statement } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope, type CallersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import { groupingOf, mostGroups, type Grouping } from './grouping.ts';
import { Filling, measuredRows, mostUnmeasuredRows, rowsThatFit, wasSent } from './fitting.ts';
import { orderBy } from './keyset.ts';
import { orderOf, type Order, type SortKey } from './order.ts';
import { alias, conditionsOf, fewMatches, keyOf, mustBeWrittenOnce, rowsOf, tableRows, type Criteria } from './plan.ts';
import { matchesText } from './prefilter.ts';
import { readScope } from './read-scope.ts';
import { tableOf } from './row-scope.ts';
import { selectRecord, type Selection } from './selection.ts';
import { keyName, indexScan, pageOf } from './source.ts';
import { changedSince, stateOf } from './versions.ts';

/** Records in all groups of an answer. */
const mostRecords = 10_000;

/** The key of the records without a value. [spec: Records] */
const noValue = 'uncategorized';

export interface GroupsRequest extends Criteria {
  /** The order within each group. */
  readonly sort: readonly SortKey[];
  readonly groupBy: string;
  /** Records per group: a positive integer. */
  readonly limit: number;
  readonly fields?: readonly string[] | undefined;
}

/** The number of records of each group, in no order; the null key is for records without a value. */
export interface RememberedGroups {
  readonly version: string;
  readonly keys: readonly (string | null)[];
  readonly counts: readonly number[];
  /** Rows of the object at that time. */
  readonly rows: number;
}

export interface GroupsPage extends RememberedGroups {
  /** Whether it is incomplete: there is more than the cached counts expected, and the page has to be measured. */
  readonly isTooLarge: boolean;
  /** `{ key: [record] }` and `{ key: count }` as JSON text, with keys in group order. */
  readonly groups: LongText;
  readonly countsText: LongText;
  /** `{ id: display }` as JSON text, where keys are ids. */
  readonly labels?: string;
  /** Whether there are groups that are not shown. */
  readonly truncated: boolean;
  /** The names of groups that show fewer records than requested, since all of them would be too large. */
  readonly truncatedGroups: readonly string[];
}

export interface GroupsPlan {
  readonly statement: Statement;
  readonly cacheKey: string;
  /** The version of the cached counts that save the statement from reading all rows. */
  readonly remembered: string | undefined;
  /** Writes JSON in slices. */
  read(rows: readonly Row[]): Promise<GroupsPage>;
}

/**
 * Plans the grouped list. Throws INVALID_FIELD and INVALID_OPERATION for a field that cannot be grouped by, and what
 * `planList` throws.
 */
export function planGroups(
  context: QueryContext,
  object: ObjectDef,
  request: GroupsRequest,
  recall: (cacheKey: string) => RememberedGroups | undefined,
  isMeasured = false,
): GroupsPlan {
  const budget = new Budget();
  const scope = callersScope(readScope(context, object, alias), budget);
  const grouping = groupingOf(request.groupBy, scope, 'no sets');
  const conditions = conditionsOf(request, scope);
  const order = orderOf(request.sort, scope, budget);
  const state = stateOf(scope);
  const cacheKey = keyOf(scope, [...conditions, sql`${grouping.key}`]);
  const selection = selectRecord(object, context, alias, 'read', request.fields, budget);

  const remembered = recall(cacheKey);
  const total = remembered?.counts.reduce((sum, count) => sum + count, 0);
  const isSmall = total === undefined ? matchesText(object, request) : total <= fewMatches;
  const parts = { scope, grouping, conditions, order, limit: request.limit };
  const lookup = rowLookupOf(grouping, remembered, request.limit);
  const isOnce = isSmall || mustBeWrittenOnce(budget, copiesOfPages);
  const source = lookup && !isOnce ? paged(parts, lookup, remembered) : numbered(parts);

  const keys = order.keys.map((_, index) => sql`${source.keys}.${keyName(index)}`);
  const id = sql`${scope.row}.id`;
  const most = isMeasured ? mostRecords : mostExpected(remembered, request.limit, selection);
  const rows = (most < mostRecords ? rowsThatFit : measuredRows)({
    kept: [sql`s.version`, sql`s.rows`, sql`c.number`, sql`c.key`, sql`c.count`, sql`c.groups`, sql`c.label`],
    selection,
    from: sql`from s left join chosen c on true ${source.records}`,
    sortedBy: [sql`c.number`, ...keys, id],
    order: ([number = sql`c.number`, ...names]) => sql`${number}, ${orderBy(order, names, names[keys.length] ?? id)}`,
    groups: sql`least(c.groups, ${mostGroups}::int)`,
    most,
  });
  const query = sql`with s as materialized (${state}), ${source.counted},
    chosen as materialized (${chosen(grouping, request.limit, most)}) ${rows}`;
  return {
    statement: statement(query, context.model.version),
    cacheKey,
    remembered: source.isPaged ? remembered?.version : undefined,
    async read(found) {
      const page = await readGroups(found, grouping, selection, context.mostBytes);
      const isCut = page.truncated || page.truncatedGroups.length > 0;
      return { ...page, isTooLarge: isCut && most < mostRecords };
    },
  };
}

/**
 * The records expected from the cached counts, where these need no measuring; PostgreSQL chooses no more groups than
 * contain them.
 */
function mostExpected(remembered: RememberedGroups | undefined, limit: number, selection: Selection): number {
  const most = mostUnmeasuredRows(selection);
  const expected = remembered?.counts.reduce((sum, count) => sum + Math.min(count, limit), limit) ?? Infinity;
  return expected <= most ? most : mostRecords;
}

/**
 * How often `paged` repeats the conditions: in the counts, and for small and large groups with a key and without,
 * each in two ranges.
 */
const copiesOfPages = 9;

/** How the rows of a group are found. */
interface RowLookup extends NonNullable<Grouping['indexed']> {
  /** Groups up to this size are materialized. */
  readonly few: number;
}

/** Whether the groups are so large that a scan of the sort's index, group by group, fills them after few rows. */
function scanFillsGroups(remembered: RememberedGroups | undefined, limit: number): boolean {
  if (!remembered) return false;
  const { counts, rows } = remembered;
  const seen = counts.reduce((sum, count) => sum + (limit * rows) / Math.max(1, count), 0);
  return seen < rows / 4;
}

/** Undefined where all rows have to be read. Without an index on the groups, small groups are scanned, too. */
function rowLookupOf(
  grouping: Grouping,
  remembered: RememberedGroups | undefined,
  limit: number,
): RowLookup | undefined {
  const { indexed, key } = grouping;
  if (indexed) return { ...indexed, few: fewMatches };
  if (!scanFillsGroups(remembered, limit)) return undefined;
  return { has: (wanted) => sql`${key} = ${wanted} collate "C"`, hasNone: sql`${key} is null`, few: 0 };
}

interface GroupsQuery {
  readonly scope: CallersScope;
  readonly grouping: Grouping;
  readonly conditions: readonly Sql[];
  readonly order: Order;
  readonly limit: number;
}

interface GroupedRows {
  /** Common table expressions, the last of which is `counted (key, count)`. */
  readonly counted: Sql;
  /** Joins the records of each group `c`, as rows of the object's table. */
  readonly records: Sql;
  /** The rows that have the sort keys. */
  readonly keys: Sql;
  /** Whether the cached counts save it from reading all rows. */
  readonly isPaged: boolean;
}

/** The shown groups in order; `groups` is the number of all groups. */
function chosen(grouping: Grouping, limit: number, most: number): Sql {
  const order = sql`counted.key is null, ${grouping.byLabel(sql`counted.key`)}`;
  const label = grouping.display?.selected(sql`p.key`) ?? sql`null::text`;
  return sql`select p.*, ${label} as label from (select counted.*, row_number() over placed as number, count(*) over () as groups,
      sum(least(count, ${limit}::bigint)) over (placed rows unbounded preceding) as records
      from counted window placed as (order by ${order})) p
    where number = 1 or (number <= ${mostGroups}::int and records <= ${most}::int)`;
}

/** Each group separately: all rows of a small one are materialized; for a large one the sort's index is scanned. */
function paged(
  { scope, grouping, conditions, order, limit }: GroupsQuery,
  lookup: RowLookup,
  remembered: RememberedGroups | undefined,
): GroupedRows {
  const records = tableRows(scope);
  const known = sql`select k.key, k.count from unnest(${remembered?.keys ?? []}::text[],
      ${remembered?.counts ?? []}::bigint[]) k (key, count)
    where (select version from s) = ${remembered?.version ?? null}::numeric`;
  const counted = sql`select ${grouping.key}, count(*) from ${records.from}
    where ${and([changedSince(remembered?.version), ...conditions])} group by 1`;
  const pages = [
    [sql`c.key is not null`, lookup.has(sql`c.key`)] as const,
    [sql`c.key is null`, lookup.hasNone] as const,
  ].flatMap(([isOf, has]) => {
    const all = indexScan(records, [...conditions, has], order);
    const few = sql`(select ${scope.row}.* from ${records.from} where ${and([...conditions, has])} offset 0) ${scope.row}`;
    const fewRows = {
      ...all,
      sorted: sql`${few}${order.beside}`,
      where: [isOf, sql`c.count <= ${lookup.few}::bigint`],
    };
    const manyRows = { ...all, where: [...all.where, isOf, sql`c.count > ${lookup.few}::bigint`] };
    return [fewRows, manyRows].map((source) => sql`(${pageOf(source, undefined, limit)})`);
  });
  return {
    counted: sql`counted as materialized (${known} union all ${counted})`,
    records: sql`left join lateral (${join(pages, ' union all ')}) ${scope.row} on true`,
    keys: scope.row,
    isPaged: true,
  };
}

/** One pass over all rows: for groups without an index, and for few rows. */
function numbered({ scope, grouping, conditions, order, limit }: GroupsQuery): GroupedRows {
  const table = sql`${tableOf(scope.context.model, scope.object.table)} ${scope.row}`;
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  const names = order.keys.map((_, index) => sql`m.${keyName(index)}`);
  const same = (key: Sql) => sql`coalesce('=' || ${key}, '')`; // null equals itself here, in a form that can be hashed
  return {
    counted: sql`matches as materialized (select ${join([sql`${scope.row}.id, ${grouping.key} as key`, ...keys], ', ')}
        from ${rowsOf(scope)}${order.beside} where ${and(conditions)}),
      counted as materialized (select key, count(*) as count from matches group by 1)`,
    records: sql`left join (select m.*, row_number() over (partition by m.key order by ${orderBy(order, names, sql`m.id`)})
        as place from matches m) m on m.place <= ${trusted(String(limit))} and ${same(sql`m.key`)} = ${same(sql`c.key`)}
      left join ${table} on ${scope.row}.id = m.id`,
    keys: sql`m`,
    isPaged: false,
  };
}

interface Group {
  readonly key: string | null;
  readonly count: number;
  readonly label: Cell;
  readonly rows: Row[];
  readonly records: LongText[];
}

/** Index of the record in a row, after version, rows of the object, number, key, count, number of groups and label. */
const recordAt = 7;

/** Without groups there is a single row with nulls after its first two cells. */
async function readGroups(
  rows: readonly Row[],
  grouping: Grouping,
  selection: Selection,
  mostBytes: number | undefined,
): Promise<Omit<GroupsPage, 'isTooLarge'>> {
  const byKey = new Map<string | null, Group>();
  for (const row of rows) {
    const [, , number, key = null, count, , label = null] = row;
    if (number === null) continue;
    let group = byKey.get(key);
    if (!group) byKey.set(key, (group = { key, count: Number(count), label, rows: [], records: [] }));
    group.rows.push(row);
  }
  const groups = [...byKey.values()];
  await fill(groups, selection, mostBytes);
  const keys = groups.map(({ key }) => key);
  const names = keys.map((key) => (key === null ? emptyName(keys) : grouping.shown(key)));
  const { display } = grouping;
  const labels = groups.flatMap(({ key, label }, index) =>
    key === null || !display ? [] : [`${jsonString(names[index] ?? '')}:${display.json(key, label)}`],
  );
  const members = (text: (group: Group) => LongText): LongText => {
    const each = groups.map((group, index) => together(`${jsonString(names[index] ?? '')}:`, text(group)));
    return together('{', joined(each, ','), '}');
  };
  return {
    version: rows[0]?.[0] ?? '0',
    rows: Number(rows[0]?.[1] ?? 0),
    keys,
    counts: groups.map(({ count }) => count),
    groups: members(({ records }) => together('[', joined(records, ','), ']')),
    countsText: members(({ count }) => String(count)),
    ...(display && { labels: `{${labels.join(',')}}` }),
    truncated: Number(rows[0]?.[5] ?? 0) > groups.length,
    truncatedGroups: names.filter((_, index) => {
      const group = groups[index];
      return group !== undefined && group.records.length < group.rows.length;
    }),
  };
}

/** Writes the first record of each group, then the second of each, as long as they fit. */
async function fill(groups: readonly Group[], selection: Selection, mostBytes: number | undefined): Promise<void> {
  const filling = new Filling(1, mostBytes);
  const most = Math.max(0, ...groups.map(({ rows }) => rows.length));
  for (let place = 0; place < most; place++) {
    for (const { rows, records } of groups) {
      const row = rows[place];
      if (!row) continue;
      if (records.length < place || !wasSent(row, recordAt, selection)) continue;
      if (sliceIsOver()) await nextSlice();
      const record = await selection.jsonInSlices(row, recordAt);
      if (!filling.takes(record)) return;
      records.push(record);
    }
  }
}

/** The key for records without a value, made unique: a value may be called the same. */
function emptyName(keys: readonly (string | null)[]): string {
  let name = noValue;
  while (keys.includes(name)) name += ':null';
  return name;
}
