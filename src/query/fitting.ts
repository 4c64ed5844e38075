/**
 * Answers end early where their records are large. PostgreSQL sends no more than some sixteen megabytes, and the ids alone of
 * the records that would come after them; of what it sends, as much is told as fits.
 */
import { utf8Length, type LongText } from '../lib/long-text.ts';
import type { Row } from '../postgres/database.ts';
import { and, identifier, join, sql, type Sql } from '../postgres/sql.ts';
import type { Selection } from './selection.ts';

/** Bytes of records in an answer. A record that is larger is the only one. */
export const mostBytes = 16 * 1024 * 1024;

/** What PostgreSQL may send unmeasured, since hardly a row is as large as its fields allow: measuring takes a tenth of a page's time. */
const mostUnmeasured = 4 * mostBytes;

/** A long text that is worth being sent with a page that is not measured. */
const leastShare = 64 * 1024;

export type Cells = Pick<Selection, 'columns' | 'isText' | 'widest' | 'long' | 'overhead'>;

export interface Rows {
  /** What is sent of every row. */
  readonly kept: readonly Sql[];
  /** What is sent of those that fit. */
  readonly selection: Cells;
  /** What they are taken from: `from …`. */
  readonly from: Sql;
  /** What they are ordered by, and how, given a name for each. */
  readonly sortedBy: readonly Sql[];
  order(names: readonly Sql[]): Sql;
  /** How many there may be. */
  readonly most: number;
  /** How many such selects make one answer together; one unless told. */
  readonly shares?: number;
}

/** How many rows can be sent unmeasured, with long texts of a usual length. */
export function mostUnmeasuredRows({ long, widest }: Cells): number {
  return long === undefined ? 0 : Math.floor(mostUnmeasured / (widest + leastShare));
}

/**
 * A select of the rows in their order: `kept`, the record, and where that is not always so, whether it was sent. Of the
 * first row it may say no: only `measuredRows` can tell that one.
 */
export function rowsThatFit(rows: Rows): Sql {
  const { kept, selection, from, sortedBy, order, most, shares = 1 } = rows;
  const { columns, long, widest } = selection;
  if (most * shares > mostUnmeasuredRows(selection)) return measuredRows(rows);
  const share = Math.floor(mostUnmeasured / (most * shares) - widest);
  const shown = [...columns];
  const fit = and(
    [...(long ?? [])].map((at) => {
      const column = columns[at] ?? sql`null`;
      const isShort = sql`octet_length(${column}) <= ${Math.floor(share / (long?.length ?? 1))}::int`;
      shown[at] = sql`case when ${isShort} then ${column} end`;
      return sql`(${isShort}) is not false`;
    }),
  );
  const cells = long?.length ? [...kept, ...shown, fit] : [...kept, ...columns];
  return sql`select ${join(cells, ', ')} ${from} order by ${order(sortedBy)}`;
}

/**
 * The same, where PostgreSQL sums up the rows in their order. With `groups`, how many there are, the rows come group by group,
 * the first of `sortedBy` being the group's number, and each group has its share.
 */
export function measuredRows({
  kept,
  selection,
  from,
  sortedBy,
  order,
  groups,
  shares = 1,
}: Rows & { readonly groups?: Sql }): Sql {
  const { columns, isText, overhead } = selection;
  const of = (row: Sql, prefix: string, values: readonly Sql[]) =>
    values.map((_, at) => sql`${row}.${name(prefix, at)}`);
  const as = (prefix: string, values: readonly Sql[]) =>
    values.map((value, at) => sql`${value} as ${name(prefix, at)}`);
  const sizes = of(sql`q`, 'c', columns).flatMap((cell, at) =>
    isText[at] ? [sql`coalesce(octet_length(${cell}::text), 0)`] : [],
  );
  const keys = of(sql`q`, 's', sortedBy);
  const window = groups
    ? sql`partition by ${keys[0] ?? groups} order by ${order(keys)} rows unbounded preceding`
    : sql`order by ${order(keys)} rows between unbounded preceding and 1 preceding`;
  const fit = groups
    ? sql`f.bytes <= ${mostUnmeasured}::int / f.groups`
    : sql`coalesce(f.bytes, 0) < ${Math.floor(mostBytes / shares)}::int`;
  const shown = of(sql`f`, 'c', columns).map((cell) => sql`case when ${fit} then ${cell} end`);
  // The offset keeps PostgreSQL from making each column twice, once to measure it.
  return sql`select ${join([...of(sql`f`, 'k', kept), ...shown, fit], ', ')} from (
      select q.*, sum(${join([sql`${overhead}::int`, ...sizes], ' + ')}) over (${window}) as bytes
      from (select ${join([...as('k', kept), ...as('c', columns), ...as('s', sortedBy)], ', ')}, ${groups ?? sql`1`} as groups
        ${from} order by ${order(sortedBy)} offset 0) q) f
    order by ${order(of(sql`f`, 's', sortedBy))}`;
}

function name(prefix: string, at: number): Sql {
  return identifier(`_${prefix}${at}`);
}

/** Whether the record that begins at `at` was sent. */
export function wasSent(row: Row, at: number, { columns }: Pick<Selection, 'columns'>): boolean {
  return row[at + columns.length] !== 'f';
}

/** Takes in records as long as they fit, the first in any case. */
export class Filling {
  #bytes = 0;
  readonly #most: number;

  /** One of so many that fill an answer together, which has at most `most` bytes. */
  constructor(shares = 1, most = mostBytes) {
    this.#most = Math.min(most, mostBytes) / shares;
  }

  /** Whether the record fits beside those before. */
  takes(record: LongText): boolean {
    const isFirst = this.#bytes === 0;
    this.#bytes += utf8Length(record) + 1;
    return isFirst || this.#bytes <= this.#most;
  }
}
