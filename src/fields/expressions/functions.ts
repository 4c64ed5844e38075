/**
 * The functions of CALCULATED expressions: their parameters, result and SQL. Null in, null out, unless stated
 * otherwise.
 */
import { instant, join, sql } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import { boundedCount, boundedText, movedByDays, movedByMonths } from '../bounds.ts';
import type { FunctionName } from './tree.ts';
import { dayOf } from '../local-time.ts';
import type { FilterContext, OperandKind } from '../operators/operator.ts';

/**
 * How an argument is converted. `text`: the text of any value. `day`: a date, or the day of a time. `date`: like
 * `day`, or a quoted literal. `emptiness`: whether it is empty. `separator`, `digits`: constants. `value`: all of one
 * kind, or else their texts. `ordered`: all numbers, dates or times.
 */
export type Parameter =
  | 'text'
  | 'number'
  | 'day'
  | 'date'
  | 'boolean'
  | 'emptiness'
  | 'separator'
  | 'digits'
  | 'value'
  | 'ordered';

export interface FunctionDef {
  /** The last parameter repeats. */
  readonly takes: readonly Parameter[];
  readonly least: number;
  readonly most: number;
  /** `common`: the common kind of its values. */
  readonly gives: OperandKind | 'common';
  sql(args: readonly Sql[], clock: FilterContext): Sql;
}

const several = 100;

/** A function with exactly these parameters; `sql` takes one argument for each. */
function of(takes: readonly Parameter[], gives: FunctionDef['gives'], write: (...args: Sql[]) => Sql): FunctionDef {
  const count = takes.length;
  return { takes, least: count, most: count, gives, sql: (args) => write(...args) };
}

const anyCase = (text: Sql): Sql => sql`lower(${text} collate "und-x-icu")`;
const filled = (text: Sql): Sql => sql`nullif(${text}, '')`;

export const functions: Readonly<Record<FunctionName, FunctionDef>> = {
  // Of conditions and missing values
  if: {
    takes: ['boolean', 'value'],
    least: 2,
    most: 3,
    gives: 'common',
    sql: ([condition = sql`null`, yes = sql`null`, no = sql`null`]) =>
      sql`(case when ${condition} then ${yes} else ${no} end)`,
  },
  coalesce: {
    takes: ['value'],
    least: 1,
    most: several,
    gives: 'common',
    sql: (values) => sql`coalesce(${join(values, ', ')})`,
  },
  is_empty: of(['emptiness'], 'boolean', (is) => is),
  // Of numbers
  round: {
    takes: ['number', 'digits'],
    least: 1,
    most: 2,
    gives: 'number',
    sql: ([value = sql`null`, digits = sql`0`]) => sql`round(${value}, ${digits})`,
  },
  floor: of(['number'], 'number', (value) => sql`floor(${value})`),
  ceil: of(['number'], 'number', (value) => sql`ceil(${value})`),
  abs: of(['number'], 'number', (value) => sql`abs(${value})`),
  min: extreme('least'),
  max: extreme('greatest'),
  // Of texts
  join: {
    // Joins non-empty parts; concat_ws is not immutable.
    takes: ['separator', 'text'],
    least: 2,
    most: several,
    gives: 'text',
    sql: ([separator = sql`''`, ...parts]) => {
      const each = parts.map((part) => sql`coalesce(${separator} || ${filled(part)}, '')`);
      return boundedText(filled(sql`substr(${join(each, ' || ')}, length(${separator}) + 1)`));
    },
  },
  concat: {
    takes: ['text'],
    least: 1,
    most: several,
    gives: 'text',
    sql: (parts) =>
      boundedText(
        filled(
          join(
            parts.map((part) => sql`coalesce(${part}, '')`),
            ' || ',
          ),
        ),
      ),
  },
  // Case of every script, independent of the database's locale.
  lower: of(['text'], 'text', (text) => sql`(${anyCase(text)} collate "C")`),
  upper: of(['text'], 'text', (text) => sql`(upper(${text} collate "und-x-icu") collate "C")`),
  trim: of(['text'], 'text', (text) => sql`btrim(${text}, E' \\t\\r\\n')`),
  length: of(['text'], 'number', (text) => sql`length(${text})::numeric`),
  left: of(['text', 'number'], 'text', (text, count) => sql`left(${text}, ${boundedCount(count)})`),
  right: of(['text', 'number'], 'text', (text, count) => sql`right(${text}, ${boundedCount(count)})`),
  contains: of(['text', 'text'], 'boolean', (text, part) => sql`(strpos(${anyCase(text)}, ${anyCase(part)}) > 0)`),
  starts_with: of(['text', 'text'], 'boolean', (text, part) => sql`starts_with(${text}, ${part})`),
  ends_with: of(['text', 'text'], 'boolean', (text, part) => sql`starts_with(reverse(${text}), reverse(${part}))`),
  // At most 10,000 characters, each replaced by at most 100.
  replace: of(['text', 'text', 'text'], 'text', (text, from, to) =>
    boundedText(sql`replace(${text}, ${from}, left(${to}, 100))`),
  ),
  text: of(['text'], 'text', (text) => text),
  number: of(
    ['text'],
    'number',
    (text) =>
      sql`substring(${text} from '^\\s*([+-]?(?:[0-9]{1,100}(?:\\.[0-9]{0,100})?|\\.[0-9]{1,100})(?:[eE][+-]?[0-9]{1,2})?)\\s*$')::numeric`,
  ),
  // Of days
  today: {
    takes: [],
    least: 0,
    most: 0,
    gives: 'date',
    sql: (_, { now, timeZone }) => sql`${dayOf(now, timeZone)}::date`,
  },
  now: {
    takes: [],
    least: 0,
    most: 0,
    gives: 'datetime',
    sql: (_, { now }) => instant(now),
  },
  date: of(['date'], 'date', (day) => day),
  year: of(['day'], 'number', (day) => sql`extract(year from ${day})`),
  month: of(['day'], 'number', (day) => sql`extract(month from ${day})`),
  day: of(['day'], 'number', (day) => sql`extract(day from ${day})`),
  days_between: of(['day', 'day'], 'number', (from, to) => sql`(${to} - ${from})::numeric`),
  add_days: of(['day', 'number'], 'date', movedByDays),
  add_months: of(['day', 'number'], 'date', movedByMonths),
  start_of_month: of(['day'], 'date', (day) => sql`date_trunc('month', ${day}::timestamp)::date`),
};

/** The least or greatest of the non-null arguments. */
function extreme(name: 'least' | 'greatest'): FunctionDef {
  return {
    takes: ['ordered'],
    least: 1,
    most: several,
    gives: 'common',
    sql: (values) => (name === 'least' ? sql`least(${join(values, ', ')})` : sql`greatest(${join(values, ', ')})`),
  };
}
