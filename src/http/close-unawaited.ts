/** Closes listening sockets at a moment when no connection waits to be accepted, since the system resets waiting ones. */
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Listener } from './listener.ts';
import { fillQueues, portsWaitingAt, queuesAt, shortestQueue } from './waiting-connections.ts';

/** Accepted connections. */
export interface Arrivals {
  /** How many connections were accepted. */
  count: number;
  /** The ports of own connections, which are not to be served. */
  readonly own: Set<number | undefined>;
}

/** How long such a moment is awaited, in a process as it is and in one that is held up. */
const freeMillis = 2_000;
const heldUpMillis = 2_500;

/**
 * Closes the listeners of one port, and resolves to whether no connection waited. Connections that arrive meanwhile are
 * accepted. `holdUp` makes a busy process idle until its result is called.
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
    // Waiting connections are accepted in each turn: after a turn without any, none waited a moment ago.
    if (arrivals.count !== before) continue;
    const queues = queuesAt(places);
    if (queues === undefined) for (const listener of listeners) listener.close();
    if (queues === undefined || (queues === 'empty' && (await closeIfFilled(listeners, places, arrivals.own))))
      return true;
  }
  return false;
}

/**
 * Fills the queues and closes if they contain no other connection; returns whether it did. While queues are full the system
 * makes others retry.
 */
async function closeIfFilled(
  listeners: readonly Listener[],
  places: readonly AddressInfo[],
  own: Set<number | undefined>,
): Promise<boolean> {
  for (const listener of listeners) listener.setQueue(shortestQueue);
  const filling = await fillQueues(places);
  own.clear(); // connections of the previous attempt were accepted or closed
  for (const { localPort } of filling) own.add(localPort);
  const closes = queuesAt(places) === 'full' && portsWaitingAt(places).every((port) => own.has(port));
  for (const listener of listeners) {
    if (closes) listener.close();
    else listener.setQueue();
  }
  for (const connection of filling) connection.destroy();
  return closes;
}
