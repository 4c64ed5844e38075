/**
 * A grouped list as one statement: the groups with their counts, and the first records of each. Where an index finds a
 * group's rows, each group is a page of its own; else all rows are read once and numbered. [spec: Records]
 */
import { jsonString } from '../lib/json.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { and, join, sql, statement, trusted, type Sql, type Statement } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import { groupingOf, mostGroups, type Grouping } from './grouping.ts';
import { orderBy } from './keyset.ts';
import { orderOf, type Order, type SortKey } from './order.ts';
import { alias, conditionsOf, fewMatches, keyName, keyOf, pageOf, walked, type Asked } from './plan.ts';
import { matchesText } from './prefilter.ts';
import { readScope } from './read-scope.ts';
import { tableOf, type ObjectScope } from './row-scope.ts';
import { selectRecord, type Selection } from './selection.ts';
import { changedSince, stateOf } from './versions.ts';

/** An answer has at most so many records in all its groups. */
const mostRecords = 10_000;

/** The key of the records without a value. [spec: Records] */
const noValue = 'uncategorized';

export interface GroupsRequest extends Asked {
  /** Within each group. */
  readonly sort: readonly SortKey[];
  readonly groupBy: string;
  /** Records of a group: a positive integer. */
  readonly limit: number;
  readonly fields?: readonly string[] | undefined;
}

/** How many records each group had, null being the key of those without a value; in no order. */
export interface RememberedGroups {
  readonly version: string;
  readonly keys: readonly (string | null)[];
  readonly counts: readonly number[];
  /** Rows of the object at that time. */
  readonly rows: number;
}

export interface GroupsPage extends RememberedGroups {
  /** `{ key: [record] }` and `{ key: count }` as JSON text, keys in their order. */
  readonly groups: string;
  readonly countsText: string;
  /** Whether there are groups that are not shown. */
  readonly truncated: boolean;
}

export interface GroupsPlan {
  readonly statement: Statement;
  readonly memoKey: string;
  /** The version of what is remembered and spares the statement to read all rows. */
  readonly remembered: string | undefined;
  read(rows: readonly Row[]): GroupsPage;
}

/** Throws INVALID_FIELD and INVALID_OPERATION for what can't be grouped by, and what `planList` throws for the rest. */
export function planGroups(
  context: QueryContext,
  object: ObjectDef,
  request: GroupsRequest,
  recall: (memoKey: string) => RememberedGroups | undefined,
): GroupsPlan {
  const scope = readScope(context, object, alias);
  const grouping = groupingOf(request.groupBy, scope, 'no sets');
  const conditions = conditionsOf(request, scope);
  const order = orderOf(request.sort, scope);
  const state = stateOf(scope);
  const memoKey = keyOf(scope, [...conditions, sql`${grouping.key}`]);
  const selection = selectRecord(object, context, alias, 'read', request.fields);

  const remembered = recall(memoKey);
  const total = remembered?.counts.reduce((sum, count) => sum + count, 0);
  const isSmall = total === undefined ? matchesText(object, request) : total <= fewMatches;
  const parts = { scope, grouping, conditions, order, limit: request.limit };
  const finding = findingOf(grouping, remembered, request.limit);
  const source = finding && !isSmall ? paged(parts, finding, remembered) : numbered(parts);

  const keys = order.keys.map((_, index) => sql`${source.keys}.${keyName(index)}`);
  const columns = join(
    [sql`s.version, s.rows, c.number, c.key, c.count, c.groups, ${scope.row}.id`, ...selection.columns],
    ', ',
  );
  const query = sql`with s as materialized (${state}), ${source.counted}, chosen as materialized (${chosen(grouping, request.limit)})
    select ${columns} from s left join chosen c on true ${source.records}
    order by c.number, ${orderBy(order, keys, sql`${scope.row}.id`)}`;
  return {
    statement: statement(query, context.model.version),
    memoKey,
    remembered: source.isPaged ? remembered?.version : undefined,
    read: (rows) => readGroups(rows, grouping, selection),
  };
}

/** How the rows of a group are found. */
interface Finding extends NonNullable<Grouping['indexed']> {
  /** Groups up to this size are collected. */
  readonly few: number;
}

/** Whether groups are so large that looking at every row along the sort's index, group by group, fills them after few. */
function isSoonFull(remembered: RememberedGroups | undefined, limit: number): boolean {
  if (!remembered) return false;
  const { counts, rows } = remembered;
  const seen = counts.reduce((sum, count) => sum + (limit * rows) / Math.max(1, count), 0);
  return seen < rows / 4;
}

/** Undefined where all rows have to be looked at. Where no index has a group's rows together, small groups are walked, too. */
function findingOf(grouping: Grouping, remembered: RememberedGroups | undefined, limit: number): Finding | undefined {
  const { indexed, key } = grouping;
  if (indexed) return { ...indexed, few: fewMatches };
  if (!isSoonFull(remembered, limit)) return undefined;
  return { has: (wanted) => sql`${key} = ${wanted} collate "C"`, hasNone: sql`${key} is null`, few: 0 };
}

interface Parts {
  readonly scope: ObjectScope;
  readonly grouping: Grouping;
  readonly conditions: readonly Sql[];
  readonly order: Order;
  readonly limit: number;
}

interface Source {
  /** Common tables, the last of which is `counted (key, count)`. */
  readonly counted: Sql;
  /** Joins the records of each group `c`, as rows of the object's table. */
  readonly records: Sql;
  /** What has the sort keys. */
  readonly keys: Sql;
  /** Whether the counts that are remembered spare it a look at all rows. */
  readonly isPaged: boolean;
}

/** The groups that are shown, in their order; `groups` is how many there are. */
function chosen(grouping: Grouping, limit: number): Sql {
  const order = sql`counted.key is null, ${grouping.byLabel(sql`counted.key`)}`;
  return sql`select * from (select counted.*, row_number() over placed as number, count(*) over () as groups,
      sum(least(count, ${limit}::bigint)) over (placed rows unbounded preceding) as records
      from counted window placed as (order by ${order})) p
    where number = 1 or (number <= ${mostGroups}::int and records <= ${mostRecords}::int)`;
}

/** Each group by itself: of a small one all rows are collected, of a large one the sort's index is walked. */
function paged(
  { scope, grouping, conditions, order, limit }: Parts,
  finding: Finding,
  remembered: RememberedGroups | undefined,
): Source {
  const table = sql`${tableOf(scope.context.model, scope.object.name)} ${scope.row}`;
  const known = sql`select k.key, k.count from unnest(${remembered?.keys ?? []}::text[],
      ${remembered?.counts ?? []}::bigint[]) k (key, count)
    where (select version from s) = ${remembered?.version ?? null}::numeric`;
  const counted = sql`select ${grouping.key}, count(*) from ${table}
    where ${and([changedSince(remembered?.version), ...conditions])} group by 1`;
  const pages = [
    [sql`c.key is not null`, finding.has(sql`c.key`)] as const,
    [sql`c.key is null`, finding.hasNone] as const,
  ].flatMap(([isOf, has]) => {
    const all = walked(scope, [...conditions, has], order);
    const few = sql`(select ${scope.row}.* from ${table} where ${and([...conditions, has])} offset 0) ${scope.row}`;
    const fewRows = { ...all, from: few, where: [isOf, sql`c.count <= ${finding.few}::bigint`] };
    const manyRows = { ...all, where: [...all.where, isOf, sql`c.count > ${finding.few}::bigint`] };
    return [fewRows, manyRows].map((source) => sql`(${pageOf(source, undefined, limit)})`);
  });
  return {
    counted: sql`counted as materialized (${known} union all ${counted})`,
    records: sql`left join lateral (${join(pages, ' union all ')}) ${scope.row} on true`,
    keys: scope.row,
    isPaged: true,
  };
}

/** One pass over all rows: for groups that no index finds, and for few rows. */
function numbered({ scope, grouping, conditions, order, limit }: Parts): Source {
  const table = sql`${tableOf(scope.context.model, scope.object.name)} ${scope.row}`;
  const keys = order.keys.map((key, index) => sql`${key.value} as ${keyName(index)}`);
  const names = order.keys.map((_, index) => sql`m.${keyName(index)}`);
  const same = (key: Sql) => sql`coalesce('=' || ${key}, '')`; // null too equals itself, in a form that is hashed
  return {
    counted: sql`matches as materialized (select ${join([sql`${scope.row}.id, ${grouping.key} as key`, ...keys], ', ')}
        from ${table} where ${and(conditions)}),
      counted as materialized (select key, count(*) as count from matches group by 1)`,
    records: sql`left join (select m.*, row_number() over (partition by m.key order by ${orderBy(order, names, sql`m.id`)})
        as place from matches m) m on m.place <= ${trusted(String(limit))} and ${same(sql`m.key`)} = ${same(sql`c.key`)}
      left join ${table} on ${scope.row}.id = m.id`,
    keys: sql`m`,
    isPaged: false,
  };
}

/** Each row is version, rows of the object, number, key, count and number of groups, id and the record; without groups there is one row. */
function readGroups(rows: readonly Row[], grouping: Grouping, selection: Selection): GroupsPage {
  const groups = new Map<string | null, { count: number; records: string[] }>();
  for (const row of rows) {
    const [, , number, key = null, count] = row;
    if (number === null) continue;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { count: Number(count), records: [] }));
    group.records.push(selection.json(row, 7));
  }
  const all = [...groups];
  const keys = all.map(([key]) => key);
  const names = keys.map((key) => jsonString(key === null ? emptyName(keys) : grouping.shown(key)));
  const members = (text: (group: { count: number; records: string[] }) => string): string =>
    `{${all.map(([, group], index) => `${names[index]}:${text(group)}`).join(',')}}`;
  return {
    version: rows[0]?.[0] ?? '0',
    rows: Number(rows[0]?.[1] ?? 0),
    keys,
    counts: all.map(([, { count }]) => count),
    groups: members(({ records }) => `[${records.join(',')}]`),
    countsText: members(({ count }) => String(count)),
    truncated: Number(rows[0]?.[5] ?? 0) > groups.size,
  };
}

/** Values can be called like the key of those without one; two groups are never one key. */
function emptyName(keys: readonly (string | null)[]): string {
  let name = noValue;
  while (keys.includes(name)) name += ':null';
  return name;
}
