/**
 * Hands connections from the primary, which listens, to the workers, which serve. The primary keeps each until a
 * worker has confirmed it, and reads nothing from it: if that worker ends first, another one gets it.
 */
import type { Socket } from 'node:net';

/** A worker that takes connections. */
export interface Taker {
  /** The worker reports whether the sent connection arrived; it does not where the worker has no free descriptor. */
  confirmed(came: boolean): void;
  /** The worker takes no more, and will confirm nothing else. */
  leave(): void;
}

export interface Handover {
  /** Sends a connection to the workers in turn, as soon as one is free. */
  give(connection: Socket): void;
  /** Adds a worker. It gets the next connection when it has confirmed the last, so one that hangs gets no more. */
  join(send: (connection: Socket) => void): Taker;
  /** Resolves when all connections are confirmed. */
  done(): Promise<void>;
}

interface WorkerSlot {
  readonly send: (connection: Socket) => void;
  /** Sent and not yet confirmed. */
  sent?: Socket | undefined;
}

/** Creates a handover without workers; they join when ready. */
export function createHandover(): Handover {
  const waiting: Socket[] = [];
  const free: WorkerSlot[] = [];
  const listeners = new Set<() => void>();
  /** Connections that did not arrive: each is sent to another worker once. */
  const lost = new WeakSet<Socket>();
  let open = 0;

  function move(): void {
    while (waiting.length > 0 && free.length > 0) {
      const slot = free.shift()!;
      slot.sent = waiting.shift()!;
      slot.send(slot.sent);
    }
  }

  return {
    give(connection) {
      open++;
      waiting.push(connection);
      move();
    },
    join(send) {
      const slot: WorkerSlot = { send };
      free.push(slot);
      move();
      return {
        confirmed(came) {
          const { sent } = slot;
          slot.sent = undefined;
          free.push(slot);
          if (sent && !came && !lost.has(sent)) {
            lost.add(sent);
            waiting.push(sent);
          } else {
            sent?.destroy(); // the worker's own copy of an arrived connection stays open
            if (--open === 0) for (const notify of listeners) notify();
          }
          move();
        },
        leave() {
          if (slot.sent) waiting.unshift(slot.sent);
          else free.splice(free.indexOf(slot), 1);
          move();
        },
      };
    },
    done: () => new Promise((resolve) => (open === 0 ? resolve() : listeners.add(resolve))),
  };
}
