/** Connections that wait in a listening socket's queue to be accepted: who they are, and own ones that keep it full. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The shortest queue that Node asks for. */
export const shortestQueue = 1;
/** How many connections fill that: Linux takes one more. */
const filling = 2;
/** What the system's table says of connections with somebody at their other end: established, on its way to it, half closed. */
const waitingStates = new Set(['01', '03', '08', '0C']);

/**
 * The other ends' ports of connections to these places that nobody has accepted; none where the system does not tell. Takes
 * milliseconds, for the system goes through all connections of the machine.
 */
export function portsWaitingAt(places: readonly AddressInfo[]): readonly number[] {
  return places.flatMap(({ family, port }) => {
    const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    return linesOf(family).flatMap((line) => {
      const [, to = '', from = '', state = '', , , , , , inode] = line.trim().split(/\s+/);
      const waits = to.endsWith(local) && inode === '0' && waitingStates.has(state);
      return waits ? [Number.parseInt(from.slice(from.lastIndexOf(':') + 1), 16)] : [];
    });
  });
}

function linesOf(family: string): readonly string[] {
  try {
    return readFileSync(family === 'IPv6' ? '/proc/self/net/tcp6' : '/proc/self/net/tcp', 'latin1')
      .split('\n')
      .slice(1);
  } catch {
    return [];
  }
}

/** Fills the shortest queue of each listening socket before the next turn of the loop, in which they are accepted. */
export async function fillQueues(places: readonly AddressInfo[]): Promise<readonly Socket[]> {
  const own = places.flatMap(({ port, address }) => Array.from({ length: filling }, () => connect(port, address)));
  for (const connection of own) connection.on('error', () => {}); // it is reset, or the queue is full
  await new Promise<void>((resolve) => process.nextTick(resolve)); // by then Node has connected to an address
  return own;
}
