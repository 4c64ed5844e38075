/**
 * The listening sockets of a service: opened at all addresses of its host, and closed at a moment when no connection waits,
 * as the system would reset it.
 */
import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { Log } from '../lib/log.ts';
import { closeWhenUnawaited, type Arrivals } from './close-unawaited.ts';
import { openListener, type Listener } from './listener.ts';
import { listenProblem, reachable } from './listening.ts';

export interface Listeners {
  /** The base URL. */
  readonly url: string;
  /** Stops listening after accepting all waiting connections; logs a warning if some may be lost. */
  close(log: Log): Promise<void>;
}

export interface Taking {
  take(connection: Socket): void;
  /** Whether connections are passed to another process, so that nothing may be read from them. */
  readonly pauseOnConnect?: boolean;
  /** Makes a busy process idle for a moment; returns a function that ends it. */
  holdUp?(): () => void;
}

/** Opens the listeners; `localhost` means IPv4 and IPv6. Throws an error worded for the operator. */
export async function openListeners(
  host: string,
  port: number,
  { take, pauseOnConnect = false, holdUp }: Taking,
): Promise<Listeners> {
  const listeners: Listener[] = [];
  const arrivals: Arrivals = { count: 0, own: new Set() };
  const options = { allowHalfOpen: true, noDelay: true, pauseOnConnect }; // the first two as in an HTTP server

  async function open(address: string, at: number): Promise<number> {
    const listener = await openListener(address, at, options, (connection) => {
      arrivals.count++;
      if (arrivals.own.delete(connection.remotePort)) connection.destroy();
      else take(connection);
    });
    listeners.push(listener);
    return listener.place.port;
  }

  const [first = host, ...others] = await addressesOf(host);
  const bound = await open(first, port).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  // A machine without such an address does without it.
  for (const other of others) await open(other, bound).catch(() => {});
  let closed: Promise<boolean> | undefined;
  return {
    url: baseUrl(host, bound),
    async close(log) {
      if (await (closed ??= closeWhenUnawaited(listeners, arrivals, holdUp))) return;
      log.warn({ port: bound }, 'Connections kept coming when the port had to be closed; some may have been reset');
    },
  };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (host !== 'localhost') return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function baseUrl(host: string, port: number): string {
  const name = reachable(host);
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
