/**
 * The end of a server by which no request is lost: a client may be writing on a connection that looks idle, so open
 * connections are answered for a while yet, each answer with `Connection: close`.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** How long clients have to send their next request, and so learn of the end. */
const graceMillis = 2_000;
/** The process promises to end within ten seconds; one is for the database. */
const hardStopMillis = 9_000;
const lookMillis = 50;
/** A turn of the loop in which next to nothing was done. */
const idleTurnMillis = 0.1;

export interface Ending {
  /** Aborted when the end has begun: from then on answers close their connections, and event streams end. */
  readonly closing: AbortSignal;
  /** Ends with the server: it listens at another address, and hands over what comes. */
  include(listener: NetServer): void;
  /** New connections are refused; open ones stay. */
  stopListening(): Promise<void>;
  /**
   * Stops listening, answers on open connections for up to two seconds, then closes those without a request; `close` waits
   * for the others, which are cut after nine seconds in all.
   */
  end(close: () => Promise<void>): Promise<void>;
}

/** The end of this server; to be made before it listens. */
export function endingOf(server: Server): Ending {
  const { open, unused } = socketsOf(server);
  const accepting = acceptingOf(server);
  const listeners: NetServer[] = [server];
  let stopped: Promise<void> | undefined;
  let allGone: Promise<unknown> | undefined;
  const closing = new AbortController();
  let hardStop: NodeJS.Timeout | undefined;

  async function stop(): Promise<void> {
    hardStop = setTimeout(() => server.closeAllConnections(), hardStopMillis).unref();
    // The system resets connections that wait to be accepted when nobody listens any more.
    if (!(await accepting.quiet(20, 300))) await whileNothingIsRead(() => accepting.quiet(2, 1_500));
    allGone = Promise.all(listeners.map((listener) => new Promise((resolve) => listener.once('close', resolve))));
    // That of an HTTP server would close idle connections at once.
    for (const listener of listeners) NetServer.prototype.close.call(listener);
  }

  /** A busy service becomes idle, and goes on afterwards. */
  async function whileNothingIsRead(work: () => Promise<unknown>): Promise<void> {
    const pause = (socket: Socket) => void socket.pause();
    open.forEach(pause);
    server.on('connection', pause);
    await work();
    server.off('connection', pause);
    for (const socket of open) socket.resume();
  }

  return {
    closing: closing.signal,
    include: (listener) => void listeners.push(listener),
    stopListening: () => (stopped ??= stop()),
    async end(close) {
      await (stopped ??= stop());
      closing.abort();
      const over = new AbortController();
      await Promise.race([allGone, sleep(graceMillis, undefined, { signal: over.signal }).catch(() => {})]);
      over.abort();
      for (const socket of unused) socket.destroy();
      // An answer that was begun before says nothing of the end, so that its connection stays.
      const look = setInterval(() => server.closeIdleConnections(), lookMillis);
      try {
        await Promise.all([close(), allGone]);
      } finally {
        clearInterval(look);
        clearTimeout(hardStop);
      }
    },
  };
}

function acceptingOf(server: Server) {
  let last = -Infinity;
  server.on('connection', () => (last = performance.now()));
  return {
    /**
     * Resolves to true when no connection waits to be accepted, and probably none comes in the next moment: at the end of an
     * idle turn of the loop, and so many milliseconds after the last one came. To false when that takes longer than `most`.
     */
    async quiet(millis: number, most: number): Promise<boolean> {
      const end = performance.now() + most;
      for (let before = performance.now(); before < end; before = performance.now()) {
        await turn();
        const now = performance.now();
        if (now - before < idleTurnMillis && now - last > millis) return true;
      }
      return false;
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
