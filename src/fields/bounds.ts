/**
 * Keeps computed values within what can be stored and shown; values beyond are null. Each argument is evaluated once,
 * so nested expressions do not double; least and greatest skip nulls, which are checked separately.
 */
import { sql, trusted } from '../postgres/sql.ts';
import type { Sql } from '../postgres/sql.ts';

/** Characters of a text in an expression, for input and output, so that chained replacements stay within memory. */
const maxText = trusted('10000');

/**
 * At most 200 digits before the point and 200 after it, so that a product of two stored numbers keeps every digit.
 * With at most 200 operators in an expression, no intermediate result reaches PostgreSQL's 131,072 digits.
 */
export function boundedNumber(value: Sql): Sql {
  const most = sql`1e200::numeric`;
  return sql`nullif(nullif(trim_scale(round(least(greatest(${value}, -${most}), ${most}), 200)), ${most}), -${most})`;
}

/** A day within the years 1 to 9999, else null. */
export function boundedDay(value: Sql): Sql {
  const before = sql`date '0001-12-31 BC'`;
  const after = sql`date '10000-01-01'`;
  return sql`nullif(nullif(least(greatest(${value}, ${before}), ${after}), ${before}), ${after})`;
}

/** `day` plus a numeric of any size, truncated to whole days. */
export function movedByDays(day: Sql, count: Sql): Sql {
  const first = sql`date '0001-01-01'`;
  const moved = sql`(${day} - ${first}) + trunc(${count})`;
  return boundedDay(sql`(${first} + least(greatest(${moved}, -1), 3652059)::int)`);
}

/**
 * `day` plus a numeric of any size, truncated to whole months; the last day of a shorter month where the day does not
 * exist.
 */
export function movedByMonths(day: Sql, count: Sql): Sql {
  // Computed 10,000 years later, where no count goes below PostgreSQL's range; the calendar repeats every 400 years.
  const later = sql`interval '10000 years'`;
  const months = sql`make_interval(months => least(greatest(trunc(${count}), -119988), 119988)::int)`;
  const moved = sql`((${day} + ${later}) + ${months})::date`;
  const before = sql`date '10000-12-31'`;
  const after = sql`date '20000-01-01'`;
  return sql`(nullif(nullif(least(greatest(${moved}, ${before}), ${after}), ${before}), ${after}) - ${later})::date`;
}

/** A numeric as a count of characters; null below zero. */
export function boundedCount(value: Sql): Sql {
  return sql`nullif(least(greatest(trunc(${value}), -1), ${maxText}), -1)::int`;
}

/** The first characters of a computed text, as many as a stored text may have. */
export function boundedText(value: Sql): Sql {
  return sql`left(${value}, ${maxText})`;
}
