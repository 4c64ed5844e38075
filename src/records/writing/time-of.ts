/** The time of a write, as its records store it. */
import type { Call } from '../../access/call.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { slot, sql, type Sql } from '../../postgres/sql.ts';

/** The time of the call, as SQL. */
export function timeOf(call: Pick<Call, 'now'>): Sql {
  return sql`${slot(({ now }: Pick<Call, 'now'>) => isoTime(now), call)}::timestamptz`;
}
