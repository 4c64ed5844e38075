/** Summarises rows that fail for the same reason. */
import { shortList } from '../../lib/short-list.ts';
import { soMany } from '../../lib/so-many.ts';

export interface FailureText {
  readonly index: number;
  readonly message: string;
}

export interface Reason {
  /** Without the value that differs by row. */
  readonly message: string;
  readonly count: number;
  /** The full message of the first row. */
  readonly first: string;
  /** The indexes of the first rows. */
  readonly rows: readonly number[];
  /** The number of distinct values in those rows, and one of them. */
  readonly values?: number;
  readonly example?: string;
}

/** Property names in a message. */
const mostUnread = 20;
const mostRows = 5;
const mostReasons = 50;
/** Characters of a message that are examined, and repeated. */
const longest = 2_000;
/** Distinct values counted per reason. */
const mostValues = 10_000;

/** Splits a message before the value, or the record id, that differs by row. */
const differs = /^(.*?)(?:: |, not )("(?:[^"\\]|\\.)*"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/s;

interface Gathering {
  count: number;
  readonly first: string;
  readonly rows: number[];
  readonly values: Set<string>;
}

/** The reasons, most frequent first. */
export function reasonsOf(failures: Iterable<FailureText>): Reason[] {
  const found = new Map<string, Gathering>();
  for (const { index, message: whole } of failures) {
    const message = whole.length > longest ? `${whole.slice(0, longest).toWellFormed()}…` : whole;
    const [, head = message, value] = differs.exec(message) ?? [];
    const known = found.get(head) ?? { count: 0, first: message, rows: [], values: new Set() };
    found.set(head, known);
    known.count++;
    if (known.rows.length < mostRows) known.rows.push(index);
    if (value !== undefined && known.values.size < mostValues) known.values.add(value);
  }
  return [...found]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .slice(0, mostReasons)
    .map(([message, { count, first, rows, values }]) => {
      const [example] = values;
      return { message, count, first, rows, ...(example !== undefined && { values: values.size, example }) };
    });
}

/**
 * `100 rows: company_id names no record (100 names, for example "Acme")`; a single row is named by its number,
 * counted from 1.
 */
export function lineOf({ message, count, first, rows, values, example }: Reason): string {
  if (count === 1) return `row ${(rows[0] ?? 0) + 1}: ${first}`;
  const named = /names (?:no|several) records?$/.test(message) ? 'names' : 'values';
  const what = message.startsWith('Another record ') ? 'records' : named;
  const which = example === undefined ? '' : ` (${values === 1 ? '' : `${values} ${what}, for example `}${example})`;
  return `${soMany(count, 'row')}: ${message}${which}`;
}

/** The warning about rows whose `owner` is unknown here. */
export function unknownOwnersWarning(count: number): string {
  return soMany(
    count,
    'owner is no user here; the record is yours',
    'owners are no users here; their records are yours',
  );
}

/** The warning about contents of a file that are in no column; empty if there are none. */
export function unreadWarnings(unread: readonly string[] = []): string[] {
  return unread.length === 0 ? [] : [`Properties that no column has were left out: ${shortList(unread, mostUnread)}`];
}
