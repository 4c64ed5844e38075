/** Connections that wait in a listening socket's queue to be accepted: who they are, and own ones that keep it full. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The shortest queue that Node asks for. */
export const shortestQueue = 1;
/** How many connections fill that: Linux takes one more. */
const filling = 2;
/** A connection that nobody has accepted. */
export interface Waiting {
  /** The port at its other end. */
  readonly port: number;
  /** Whether it is in the queue; else it is on its way there. */
  readonly isQueued: boolean;
}

const connecting = '03';
/** What the system's table says of connections with somebody at their other end: established, on its way to it, half closed. */
const waitingStates = new Set(['01', connecting, '08', '0C']);

/**
 * The connections to these places that nobody has accepted; undefined where the system does not tell.
 * Takes milliseconds, for the system goes through all connections of the machine.
 */
export function waitingAt(places: readonly AddressInfo[]): readonly Waiting[] | undefined {
  try {
    return places.flatMap(({ family, port }) => {
      const table = family === 'IPv6' ? '/proc/self/net/tcp6' : '/proc/self/net/tcp';
      const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
      return readFileSync(table, 'latin1')
        .split('\n')
        .flatMap((line) => waitingIn(line, local));
    });
  } catch {
    return undefined;
  }
}

function waitingIn(line: string, local: string): readonly Waiting[] {
  const [, to = '', from = '', state = '', , , , , , inode] = line.trim().split(/\s+/);
  const waits = to.endsWith(local) && inode === '0' && waitingStates.has(state);
  const port = Number.parseInt(from.slice(from.lastIndexOf(':') + 1), 16);
  return waits ? [{ port, isQueued: state !== connecting }] : [];
}

/** Fills the shortest queue of each listening socket before the next turn of the loop, in which they are accepted. */
export async function fillQueues(places: readonly AddressInfo[]): Promise<readonly Socket[]> {
  const own = places.flatMap(({ port, address }) => Array.from({ length: filling }, () => connect(port, address)));
  for (const connection of own) connection.on('error', () => {}); // it is reset, or the queue is full
  await new Promise<void>((resolve) => process.nextTick(resolve)); // by then Node has connected to an address
  return own;
}
