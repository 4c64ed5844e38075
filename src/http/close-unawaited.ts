/** The close of listening sockets in a moment in which nobody waits to be accepted: the system resets those who do. */
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Listener } from './listener.ts';
import { fillQueues, waitingAt, shortestQueue } from './waiting-connections.ts';

/** What comes to the listeners. */
export interface Arrivals {
  /** How many connections were accepted. */
  count: number;
  /** The ports that own connections come from, which are not to be served. */
  readonly own: Set<number | undefined>;
}

/** How long such a moment is looked for: in a process as it is, and in one that is held up. */
const freeMillis = 300;
const heldUpMillis = 1_500;

/**
 * Closes listeners of one port. Those who come meanwhile are accepted. `holdUp` makes a busy process idle until what it
 * returns is called.
 */
export async function closeWhenUnawaited(
  listeners: readonly Listener[],
  arrivals: Arrivals,
  holdUp: () => () => void = () => () => {},
): Promise<void> {
  if (await closeWithin(freeMillis, listeners, arrivals)) return;
  const goOn = holdUp();
  if (!(await closeWithin(heldUpMillis, listeners, arrivals))) for (const listener of listeners) listener.close();
  goOn();
}

async function closeWithin(millis: number, listeners: readonly Listener[], arrivals: Arrivals): Promise<boolean> {
  for (const end = performance.now() + millis; performance.now() < end;) {
    const before = arrivals.count;
    await turn();
    // Who waits is accepted in a turn: after one in which nobody was, nobody waited a moment ago.
    if (arrivals.count === before && (await closeUnlessAwaited(listeners, arrivals.own))) return true;
  }
  return false;
}

/**
 * Closes if nobody waits, and says whether it did. Queues that are full of own connections have nobody else in them, and get
 * nobody until the close: the system lets others try again.
 */
async function closeUnlessAwaited(listeners: readonly Listener[], own: Set<number | undefined>): Promise<boolean> {
  const places = listeners.map(({ place }) => place);
  for (const listener of listeners) listener.setQueue(shortestQueue);
  const filling = await fillQueues(places);
  own.clear(); // those of the attempt before have been accepted, or are gone
  for (const { localPort } of filling) own.add(localPort);
  const closes = areFull(places, own) && isNobodyOnTheWay(places, own);
  for (const listener of listeners) {
    if (closes) listener.close();
    else listener.setQueue();
  }
  for (const connection of filling) connection.destroy();
  return closes;
}

/** Whether all own connections are in the queues; where the system does not tell, they are taken to be. */
function areFull(places: readonly AddressInfo[], own: ReadonlySet<number | undefined>): boolean {
  const waiting = waitingAt(places);
  const queued = new Set(waiting?.filter(({ isQueued }) => isQueued).map(({ port }) => port));
  return waiting === undefined || [...own].every((port) => port !== undefined && queued.has(port));
}

/** Somebody may have begun to connect before the queues were full; it takes a second look at the system's table to be sure. */
function isNobodyOnTheWay(places: readonly AddressInfo[], own: ReadonlySet<number | undefined>): boolean {
  return waitingAt(places)?.every(({ port }) => own.has(port)) ?? true;
}
