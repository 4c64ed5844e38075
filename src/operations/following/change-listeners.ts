/** Listeners of this process for changes of records. */
import type { Call } from '../../access/call.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { oldestAtWork, positionsBehind, untilIn, type Position } from '../../records/past/commit-order.ts';
import { listeningBy, type Found } from './listening.ts';

/** The listeners of the change feed. */
export const changeListening = listeningBy(changesSince);

/** Whether history has an entry after the position. Each follower reads for itself which ones it may see. */
async function changesSince(call: Call, after: Position): Promise<Found> {
  const { workspace, model } = call;
  const [oldest] = await workspace.read(oldestAtWork(model.schema));
  const query = sql`select h.epoch::text, h.tx::text, h.id::text from ${workspace.table('_history')} h
    where ${positionsBehind(sql`h`, after, untilIn(oldest), model.schema)}
    order by h.epoch desc, h.tx desc, h.id desc limit 1`;
  const [found] = await workspace.read(statement(query, model.version));
  const [[epoch, tx, id] = []] = found?.rows ?? [];
  const last = id ? { epoch: epoch ?? '', tx: tx ?? '', id } : after;
  return { concerns: () => last !== after, last, isFull: false };
}
