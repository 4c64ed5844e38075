/** What a value is an amount of, where it is made of several amounts. */
import type { Unit } from '../fields/field-type.ts';
import { join, sql, type Sql } from '../postgres/sql.ts';

/** All units of the row's value as one: of currencies that differ, all of them (`EUR+USD`). Undefined where there are none. */
export function unitOf(units: readonly Unit[]): Sql | undefined {
  const [first, ...more] = units.map(({ code }) => code);
  if (!first || more.length === 0) return first;
  return sql`(select ${distinctCodes} from unnest(array[${join([first, ...more], ', ')}]) u (codes) ${eachCode(sql`u.codes`)})`;
}

/** Of the rows that `eachCode` makes: what their currencies are together. */
export const distinctCodes = sql`string_agg(distinct u_code.code, '+' order by u_code.code)`;

/** For a `from`: a row for each currency in `codes`. */
export function eachCode(codes: Sql): Sql {
  return sql`cross join lateral unnest(string_to_array(${codes}, '+')) u_code (code)`;
}
