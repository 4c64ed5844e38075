/**
 * The clients that one user at a time has to itself: writes, transactions, cursors. An organization gets the same one
 * when it is free, any other otherwise, and UNAVAILABLE when none becomes free within two seconds.
 */
import { preferred } from './affinity.ts';
import { unavailable } from './failure.ts';
import type { Session } from './session.ts';

const waitMs = 2_000;
const closedMessage = 'The database was closed';

interface Seat {
  session: Session | undefined;
  taken: boolean;
}

/** A session for as long as it is held; `release` gives it back and may be called once. */
export interface Lease {
  readonly session: Session;
  release(): void;
}

export interface PlainPool {
  take(affinity: string): Promise<Lease>;
  close(): Promise<void>;
}

export function plainPool(open: () => Promise<Session>, size: number): PlainPool {
  const seats = Array.from({ length: size }, (): Seat => ({ session: undefined, taken: false }));
  const line = waitingLine();
  let closed = false;

  async function take(affinity: string): Promise<Lease> {
    refuseWhenClosed();
    const seat = freeSeat(affinity) ?? (await line.join());
    seat.taken = true;
    try {
      if (!isSound(seat.session)) {
        drop(seat);
        seat.session = await open();
        refuseWhenClosed();
      }
    } catch (error) {
      drop(seat);
      give(seat);
      throw error;
    }
    return { session: seat.session, release: () => giveBack(seat) };
  }

  function freeSeat(affinity: string): Seat | undefined {
    const own = seats[preferred(affinity, size)]!;
    if (!own.taken) return own;
    const free = seats.filter((seat) => !seat.taken);
    return free.find((seat) => isSound(seat.session)) ?? free[0];
  }

  function refuseWhenClosed(): void {
    if (closed) throw unavailable(closedMessage);
  }

  function giveBack(seat: Seat): void {
    // Whoever left a transaction open must not hand it to the next one.
    if (closed || !isSound(seat.session) || seat.session.inTransaction || seat.session.worn) drop(seat);
    give(seat);
  }

  function give(seat: Seat): void {
    if (!line.serve(seat)) seat.taken = false;
  }

  async function close(): Promise<void> {
    closed = true;
    line.dismiss();
    await Promise.all(seats.map((seat) => seat.session?.close()));
  }

  return { take, close };
}

/** Those who wait for a seat, served in the order they came. */
function waitingLine() {
  const waiting = new Set<PromiseWithResolvers<Seat>>();
  return {
    join(): Promise<Seat> {
      const turn = Promise.withResolvers<Seat>();
      const timer = setTimeout(() => {
        waiting.delete(turn);
        turn.reject(unavailable('All connections to the database are busy; try again shortly'));
      }, waitMs);
      waiting.add(turn);
      return turn.promise.finally(() => clearTimeout(timer));
    },
    /** Hands the seat to the next one; false when nobody waits. */
    serve(seat: Seat): boolean {
      const [next] = waiting;
      if (next === undefined) return false;
      waiting.delete(next);
      next.resolve(seat);
      return true;
    },
    dismiss(): void {
      for (const turn of waiting) turn.reject(unavailable(closedMessage));
      waiting.clear();
    },
  };
}

function isSound(session: Session | undefined): session is Session {
  return session?.usable === true;
}

function drop(seat: Seat): void {
  seat.session?.close().catch(() => {});
  seat.session = undefined;
}
