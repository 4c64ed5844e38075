/** When a write happens, as its records have it. */
import type { Call } from '../../access/call.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { slot, sql, type Sql } from '../../postgres/sql.ts';

/** The time of the call that the write is sent with. */
export function timeOf(call: Pick<Call, 'now'>): Sql {
  return sql`${slot(({ now }: Pick<Call, 'now'>) => isoTime(now), call)}::timestamptz`;
}
