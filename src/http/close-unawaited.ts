/** The close of listening sockets in a moment in which nobody waits to be accepted: the system resets those who do. */
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Listener } from './listener.ts';
import { fillQueues, portsWaitingAt, queuesAt, shortestQueue } from './waiting-connections.ts';

/** What comes to the listeners. */
export interface Arrivals {
  /** How many connections were accepted. */
  count: number;
  /** The ports that own connections come from, which are not to be served. */
  readonly own: Set<number | undefined>;
}

/** How long such a moment is looked for: in a process as it is, and in one that is held up. */
const freeMillis = 2_000;
const heldUpMillis = 2_500;

/**
 * Closes listeners of one port, and resolves to whether nobody waited at that moment. Those who come meanwhile are accepted.
 * `holdUp` makes a busy process idle until what it returns is called.
 */
export async function closeWhenUnawaited(
  listeners: readonly Listener[],
  arrivals: Arrivals,
  holdUp: () => () => void = () => () => {},
): Promise<boolean> {
  if (await closeWithin(freeMillis, listeners, arrivals)) return true;
  const goOn = holdUp();
  const isUnawaited = await closeWithin(heldUpMillis, listeners, arrivals);
  if (!isUnawaited) for (const listener of listeners) listener.close();
  goOn();
  return isUnawaited;
}

async function closeWithin(millis: number, listeners: readonly Listener[], arrivals: Arrivals): Promise<boolean> {
  const places = listeners.map(({ place }) => place);
  for (const end = performance.now() + millis; performance.now() < end;) {
    const before = arrivals.count;
    await turn();
    // Who waits is accepted in a turn: after one in which nobody was, nobody waited a moment ago.
    if (arrivals.count !== before) continue;
    const queues = queuesAt(places);
    if (queues === undefined) for (const listener of listeners) listener.close();
    if (queues === undefined || (queues === 'empty' && (await closeIfFilled(listeners, places, arrivals.own))))
      return true;
  }
  return false;
}

/**
 * Fills the queues and closes if nobody else is in them or on the way there, and says whether it did. Full queues get nobody
 * until the close: the system lets others try again.
 */
async function closeIfFilled(
  listeners: readonly Listener[],
  places: readonly AddressInfo[],
  own: Set<number | undefined>,
): Promise<boolean> {
  for (const listener of listeners) listener.setQueue(shortestQueue);
  const filling = await fillQueues(places);
  own.clear(); // those of the attempt before have been accepted, or are gone
  for (const { localPort } of filling) own.add(localPort);
  const closes = queuesAt(places) === 'full' && portsWaitingAt(places).every((port) => own.has(port));
  for (const listener of listeners) {
    if (closes) listener.close();
    else listener.setQueue();
  }
  for (const connection of filling) connection.destroy();
  return closes;
}
