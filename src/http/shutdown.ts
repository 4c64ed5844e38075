/**
 * Graceful shutdown: a client may be sending on a connection that looks idle, so open connections are served for a while,
 * each answer with `Connection: close`.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long clients have to send their next request and learn of the shutdown. */
const graceMillis = 2_000;
const lookMillis = 50;

export interface Shutdown {
  /** Aborted when the shutdown begins: answers then close their connections, and event streams end. */
  readonly closing: AbortSignal;
  /** Pauses reading from all connections until the result is called. */
  holdUp(): () => void;
  /**
   * Serves open connections for up to two seconds, closes idle ones, and waits for the others, which are cut after
   * `withinMillis` in all. `close` is called after the two seconds.
   */
  end(close: () => Promise<void>, withinMillis: number): Promise<void>;
}

/** Makes the shutdown of a server; call it before the server listens. */
export function shutdownOf(server: Server): Shutdown {
  const { open, unused } = socketsOf(server);
  const closing = new AbortController();

  /** Resolves when no connection is open. */
  async function allClosed(): Promise<void> {
    for (const socket of open) await new Promise((resolve) => socket.once('close', resolve));
  }

  return {
    closing: closing.signal,
    holdUp() {
      const pause = (socket: Socket) => void socket.pause();
      open.forEach(pause);
      server.on('connection', pause);
      return () => {
        server.off('connection', pause);
        for (const socket of open) socket.resume();
      };
    },
    async end(close, withinMillis) {
      closing.abort();
      const hardStop = setTimeout(() => server.closeAllConnections(), withinMillis).unref();
      const over = new AbortController();
      await Promise.race([allClosed(), sleep(graceMillis, undefined, { signal: over.signal }).catch(() => {})]);
      over.abort();
      for (const socket of unused) socket.destroy();
      // An answer that had begun before does not close its connection.
      const look = setInterval(() => server.closeIdleConnections(), lookMillis);
      try {
        await Promise.all([close(), allClosed()]);
      } finally {
        clearInterval(look);
        clearTimeout(hardStop);
      }
    },
  };
}

interface Sockets {
  readonly open: ReadonlySet<Socket>;
  /** Connections that have not sent a complete request head: they can be cut without losing a request. */
  readonly unused: ReadonlySet<Socket>;
}

function socketsOf(server: Server): Sockets {
  const open = new Set<Socket>();
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    unused.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      unused.delete(socket);
    });
  });
  server.prependListener('request', (request) => unused.delete(request.socket));
  return { open, unused };
}
