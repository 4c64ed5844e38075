/**
 * Ends answers early where their records are large. PostgreSQL sends about sixteen megabytes of records at most, and
 * only the ids of further ones; the answer contains as many of the sent records as fit.
 */
import { utf8Length, type LongText } from '../lib/long-text.ts';
import type { Row } from '../postgres/database.ts';
import { and, identifier, join, sql, type Sql } from '../postgres/sql.ts';
import type { Selection } from './selection.ts';

/** Bytes of records in an answer. A larger record is sent alone. */
export const mostBytes = 16 * 1024 * 1024;

/**
 * Bytes that PostgreSQL may send unmeasured, since few rows are as large as their fields allow: measuring takes a
 * tenth of a page's time.
 */
const mostUnmeasured = 4 * mostBytes;

/** The share of a long text worth sending on an unmeasured page. */
const leastShare = 64 * 1024;

export type Cells = Pick<Selection, 'columns' | 'isText' | 'widest' | 'long' | 'overhead'>;

export interface RowsToFit {
  /** Sent for every row. */
  readonly kept: readonly Sql[];
  /** Sent for the rows that fit. */
  readonly selection: Cells;
  /** The `from …` clause. */
  readonly from: Sql;
  /** The sort values; `order` builds the `order by` from their names. */
  readonly sortedBy: readonly Sql[];
  order(names: readonly Sql[]): Sql;
  /** The most rows. */
  readonly most: number;
  /** How many such selects share one answer; defaults to one. */
  readonly shares?: number;
}

/** How many rows can be sent unmeasured, with long texts of usual length. */
export function mostUnmeasuredRows({ long, widest }: Cells): number {
  return long === undefined ? 0 : Math.floor(mostUnmeasured / (widest + leastShare));
}

/**
 * Selects the rows in order: `kept`, the record and, if it may be missing, whether it was sent. The first row may be
 * missing, too: only `measuredRows` can tell.
 */
export function rowsThatFit(rows: RowsToFit): Sql {
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
 * Selects the rows that fit by summing their sizes in PostgreSQL. With `groups`, their number, the rows are sorted by
 * group (the first of `sortedBy` is its number), and each group has its share.
 */
export function measuredRows({
  kept,
  selection,
  from,
  sortedBy,
  order,
  groups,
  shares = 1,
}: RowsToFit & { readonly groups?: Sql }): Sql {
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
  // The offset keeps PostgreSQL from computing each column twice, once to measure it.
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

/** Accepts records as long as they fit; the first always does. */
export class Filling {
  #bytes = 0;
  readonly #most: number;

  /** One of `shares` parts of an answer of at most `most` bytes. */
  constructor(shares = 1, most = mostBytes) {
    this.#most = Math.min(most, mostBytes) / shares;
  }

  /** Whether the record fits behind the earlier ones. */
  takes(record: LongText): boolean {
    const isFirst = this.#bytes === 0;
    this.#bytes += utf8Length(record) + 1;
    return isFirst || this.#bytes <= this.#most;
  }
}
