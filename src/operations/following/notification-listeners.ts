/** Listeners of this process for notifications. */
import type { Call } from '../../access/call.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { oldestAtWork, positionsBehind, untilIn, type Position } from '../../records/past/commit-order.ts';
import { listeningBy, type Found } from './listening.ts';

/** The most notifications per poll. */
const mostAtOnce = 1_000;

/** The listeners for notifications. */
export const notificationListening = listeningBy(usersTold);

/** The recipients of the notifications after `after`. */
async function usersTold(call: Call, after: Position): Promise<Found> {
  const { workspace, model } = call;
  const [oldest] = await workspace.read(oldestAtWork(model.schema));
  const query = sql`select n.user_id, n.epoch::text, n.tx::text, n.id::text from ${workspace.table('_notifications')} n
    where ${positionsBehind(sql`n`, after, untilIn(oldest), model.schema)}
    order by n.epoch, n.tx, n.id limit ${mostAtOnce}::int`;
  const [found] = await workspace.read(statement(query, model.version));
  const rows = found?.rows ?? [];
  const users = new Set(rows.map(([user]) => user));
  const [, epoch, tx, id] = rows.at(-1) ?? [];
  return {
    concerns: ({ me }) => users.has(me),
    last: id ? { epoch: epoch ?? '', tx: tx ?? '', id } : after,
    isFull: rows.length === mostAtOnce,
  };
}
