/**
 * The end of a server by which no request is lost: a client may be writing on a connection that looks idle, so open
 * connections are answered for a while yet, each answer with `Connection: close`.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long clients have to send their next request, and so learn of the end. */
const graceMillis = 2_000;
const lookMillis = 50;

export interface Ending {
  /** Aborted when the end has begun: from then on answers close their connections, and event streams end. */
  readonly closing: AbortSignal;
  /** Reads from no connection any more, until what is returned is called. */
  holdUp(): () => void;
  /**
   * Answers on open connections for up to two seconds, then closes those without a request, and waits for the others, which
   * are cut after so many milliseconds in all. `close` is called after those two seconds.
   */
  end(close: () => Promise<void>, withinMillis: number): Promise<void>;
}

/** The end of this server; to be made before it listens. */
export function endingOf(server: Server): Ending {
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
      // An answer that was begun before says nothing of the end, so that its connection stays.
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
  /** Those that have not brought a whole request head: nothing on them was taken on, so they can be cut at the end. */
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
