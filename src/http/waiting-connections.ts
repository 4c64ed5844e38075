/** Connections in a listening socket's accept queue: their number, their ports, and own ones that fill it. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The shortest queue that Node sets. */
export const shortestQueue = 1;
/** Connections that fill it: Linux accepts one more. */
const filling = 2;

/** The state as in `/proc/net/tcp`. */
const listening = '0A';
/** Established, being established, half closed; in other states the client is gone. */
const awaitedStates = new Set(['01', '03', '08']);

/** A line of `/proc/net/tcp`. */
interface Line {
  /** `:` and the port in hexadecimal. */
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  /** For a listening socket, the number of waiting connections in hexadecimal. */
  readonly received: string;
  readonly inode: string;
}

/** Whether the queues of these addresses are empty, full, or neither; undefined if the system does not tell. */
export function queuesAt(places: readonly AddressInfo[]): 'empty' | 'full' | 'neither' | undefined {
  try {
    const lengths = places.map(queueLength);
    if (lengths.every((length) => length === 0)) return 'empty';
    return lengths.every((length) => length >= filling) ? 'full' : 'neither';
  } catch {
    return undefined;
  }
}

/** Listening sockets come first, and the system produces only the lines that are read, so this takes a fraction of a millisecond. */
function queueLength({ family, port }: AddressInfo): number {
  const file = openSync(tableOf(family), 'r');
  try {
    const piece = Buffer.alloc(64);
    for (let text = '', bytes = 1; bytes > 0;) {
      bytes = readSync(file, piece, 0, piece.length, null);
      text += piece.toString('latin1', 0, bytes);
      const end = text.indexOf('\n');
      if (end < 0) continue;
      const { local, state, received } = lineOf(text.slice(0, end));
      if (state === listening && local === hexadecimal(port)) return Number.parseInt(received, 16);
      text = text.slice(end + 1);
    }
    throw new Error(`Nothing listens at ${port}`);
  } finally {
    closeSync(file);
  }
}

/**
 * The client ports of connections to these addresses that were not accepted yet; none if the system does not tell. Takes
 * milliseconds, as the system walks all connections.
 */
export function portsWaitingAt(places: readonly AddressInfo[]): readonly number[] {
  return places.flatMap(({ family, port }) => {
    const lines = readFileSync(tableOf(family), 'latin1').split('\n').map(lineOf);
    const unaccepted = lines.filter(({ local, inode }) => local === hexadecimal(port) && inode === '0');
    const awaited = unaccepted.filter(({ state }) => awaitedStates.has(state));
    return awaited.map(({ remote }) => Number.parseInt(remote.slice(1), 16));
  });
}

function tableOf(family: string): string {
  return family === 'IPv6' ? '/proc/self/net/tcp6' : '/proc/self/net/tcp';
}

function lineOf(line: string): Line {
  const [, local = '', remote = '', state = '', queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
  const portOf = (place: string) => place.slice(place.lastIndexOf(':'));
  return { local: portOf(local), remote: portOf(remote), state, received: portOf(queues).slice(1), inode };
}

function hexadecimal(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Fills the shortest queue of each listening socket before the next turn of the event loop, which accepts them. */
export async function fillQueues(places: readonly AddressInfo[]): Promise<readonly Socket[]> {
  const own = places.flatMap(({ port, address }) => Array.from({ length: filling }, () => connect(port, address)));
  for (const connection of own) connection.on('error', () => {}); // it is reset, or the queue is full
  await new Promise<void>((resolve) => process.nextTick(resolve)); // connections are started in the next tick
  return own;
}
