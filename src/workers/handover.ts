/**
 * Connections on their way from the primary, which listens, to the workers, which serve. The primary keeps each until a
 * worker has confirmed it, and has read nothing from it: when that worker ends before, another gets it.
 */
import type { Socket } from 'node:net';

/** A worker as one that takes connections. */
export interface Taker {
  /** It has told of the connection that it was sent whether that came: it does not where the worker can open no more. */
  confirmed(came: boolean): void;
  /** It takes none any more, and has confirmed what it ever will. */
  leave(): void;
}

export interface Handover {
  /** Sends a connection to the workers in turn, as soon as one is free. */
  give(connection: Socket): void;
  /** From now on this worker gets connections, the next one when it has confirmed the last: one that hangs gets no more. */
  join(send: (connection: Socket) => void): Taker;
  /** Resolves when every connection that was given is confirmed. */
  done(): Promise<void>;
}

interface Place {
  readonly send: (connection: Socket) => void;
  /** What it was sent and has not confirmed. */
  sent?: Socket | undefined;
}

/** A handover without workers: they join it when they are ready. */
export function createHandover(): Handover {
  const waiting: Socket[] = [];
  const free: Place[] = [];
  const asked = new Set<() => void>();
  /** Those that did not come to a worker: they are sent to another once. */
  const lost = new WeakSet<Socket>();
  let open = 0;

  function move(): void {
    while (waiting.length > 0 && free.length > 0) {
      const place = free.shift()!;
      place.sent = waiting.shift()!;
      place.send(place.sent);
    }
  }

  return {
    give(connection) {
      open++;
      waiting.push(connection);
      move();
    },
    join(send) {
      const place: Place = { send };
      free.push(place);
      move();
      return {
        confirmed(came) {
          const { sent } = place;
          place.sent = undefined;
          free.push(place);
          if (sent && !came && !lost.has(sent)) {
            lost.add(sent);
            waiting.push(sent);
          } else {
            sent?.destroy(); // of one that came, the worker's own end stays open
            if (--open === 0) for (const tell of asked) tell();
          }
          move();
        },
        leave() {
          if (place.sent) waiting.unshift(place.sent);
          else free.splice(free.indexOf(place), 1);
          move();
        },
      };
    },
    done: () => new Promise((resolve) => (open === 0 ? resolve() : asked.add(resolve))),
  };
}
