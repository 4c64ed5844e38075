/** Units of values derived from several amounts. */
import type { Unit } from '../fields/field-type.ts';
import { join, sql, type Sql } from '../postgres/sql.ts';

/** All units of the row's value as one text (`EUR+USD` for several). Undefined without any. */
export function unitOf(units: readonly Unit[]): Sql | undefined {
  const [first, ...more] = units.map(({ code }) => code);
  if (!first || more.length === 0) return first;
  return sql`(select ${distinctCodes} from unnest(array[${join([first, ...more], ', ')}]) u (codes) ${eachCode(sql`u.codes`)})`;
}

/** The currencies of the rows of `eachCode`, as one text. */
export const distinctCodes = sql`string_agg(distinct u_code.code, '+' order by u_code.code)`;

/** A `from` item with a row for each currency in `codes`. */
export function eachCode(codes: Sql): Sql {
  return sql`cross join lateral unnest(string_to_array(${codes}, '+')) u_code (code)`;
}
