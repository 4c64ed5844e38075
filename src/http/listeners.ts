/**
 * The port of a service: opened at every address of its host, and closed in a moment in which no connection waits to be
 * accepted, for the system resets those when nobody listens any more.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { listenProblem } from './listening.ts';

/** A turn of the loop in which next to nothing was done. */
const idleTurnMillis = 0.1;

export interface Listeners {
  /** The base URL. */
  readonly url: string;
  /** New connections are refused; all that were accepted have been taken. */
  close(): Promise<void>;
}

export interface Taking {
  take(connection: Socket): void;
  /** Whether connections go to another process: nothing may be read from them then. */
  readonly pauseOnConnect?: boolean;
  /** Makes a busy process idle for a moment; returned is what lets it go on. */
  holdUp?(): () => void;
}

/** Listens; `localhost` is an address for IPv4 and one for IPv6. Throws with one sentence for the operator. */
export async function openListeners(
  host: string,
  port: number,
  { take, pauseOnConnect = false, holdUp }: Taking,
): Promise<Listeners> {
  const listeners: Server[] = [];
  let lastCame = -Infinity;

  async function open(address: string, at: number): Promise<number> {
    // The first two as an HTTP server has them.
    const listener = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect }, (connection) => {
      lastCame = performance.now();
      take(connection);
    });
    listener.listen(at, address);
    await once(listener, 'listening');
    listener.on('error', () => {}); // a connection that cannot be accepted is lost, and no other
    listeners.push(listener);
    const bound = listener.address();
    return typeof bound === 'object' && bound !== null ? bound.port : at;
  }

  /**
   * Resolves to true when no connection waits to be accepted, and probably none comes in the next moment: at the end of an
   * idle turn of the loop, and so many milliseconds after the last one came. To false when that takes longer than `most`.
   */
  async function quiet(millis: number, most: number): Promise<boolean> {
    const end = performance.now() + most;
    for (let before = performance.now(); before < end; before = performance.now()) {
      await turn();
      const now = performance.now();
      if (now - before < idleTurnMillis && now - lastCame > millis) return true;
    }
    return false;
  }

  async function close(): Promise<void> {
    let goOn = () => {};
    // No longer: whoever comes at a steady pace comes next when the last one has been here for long.
    if (!(await quiet(2, 300))) {
      goOn = holdUp?.() ?? goOn;
      await quiet(2, 1_500);
    }
    // At once: whatever is done before it makes the moment longer in which a connection may come.
    for (const listener of listeners) listener.close();
    goOn();
  }

  const [first = host, ...others] = await addressesOf(host);
  const bound = await open(first, port).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  // Who has no such address does without.
  for (const other of others) await open(other, bound).catch(() => {});
  return { url: baseUrl(host, bound), close };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (host !== 'localhost') return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function baseUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
