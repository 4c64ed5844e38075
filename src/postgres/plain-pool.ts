/**
 * Clients for one user at a time: transactions, cursors, long statements. An organization gets its preferred one when
 * free, any other otherwise, and UNAVAILABLE when none becomes free within two seconds. It never gets all of them, so
 * that others are not starved.
 */
import { preferred } from './affinity.ts';
import { unavailable } from './failure.ts';
import type { Session } from './session.ts';
import { waitInLine } from './wait-in-line.ts';

/**
 * Clients that a single organization cannot take; with as few as three it is one, so that its long work leaves it
 * another.
 */
const leftToOthers = (size: number): number => (size > 3 ? 2 : 1);
const closedMessage = 'The database was closed';

interface Seat {
  session: Session | undefined;
  taken: boolean;
}

/** A held session; call `release` once to return it. */
export interface Lease {
  readonly session: Session;
  release(): void;
}

export interface PlainPool {
  take(affinity: string): Promise<Lease>;
  close(): Promise<void>;
}

/** Creates a pool of at most `size` clients. No affinity gets all of them; others queue. */
export function plainPool(open: () => Promise<Session>, size: number): PlainPool {
  const seats = Array.from({ length: size }, (): Seat => ({ session: undefined, taken: false }));
  const most = Math.max(1, size - leftToOthers(size));
  const holders = holdings();
  const line = waitingLine();
  let closed = false;

  async function take(affinity: string): Promise<Lease> {
    refuseWhenClosed();
    const seat =
      holders.of(affinity) < most
        ? (freeSeat(seats, affinity) ?? (await line.join(affinity)))
        : await line.join(affinity);
    if (!seat.taken) holders.occupy(seat, affinity);
    try {
      if (!isSound(seat.session)) {
        drop(seat);
        seat.session = await open();
        refuseWhenClosed();
      }
    } catch (error) {
      drop(seat);
      give(seat, affinity);
      throw error;
    }
    return { session: seat.session, release: () => giveBack(seat, affinity) };
  }

  function refuseWhenClosed(): void {
    if (closed) throw unavailable(closedMessage);
  }

  function giveBack(seat: Seat, affinity: string): void {
    // A session with an open transaction must not be reused.
    if (closed || !isSound(seat.session) || seat.session.inTransaction || seat.session.worn) drop(seat);
    give(seat, affinity);
  }

  function give(seat: Seat, from: string): void {
    holders.leave(seat, from);
    // A returned seat may let a waiter at its limit take another one, so every free seat is offered.
    for (let free: Seat | undefined = seat; free; free = seats.find(({ taken }) => !taken)) {
      const next = line.next(holders.of, most);
      if (!next) return;
      holders.occupy(free, next.affinity);
      next.resolve(free);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    line.dismiss();
    await Promise.all(seats.map((seat) => seat.session?.close()));
  }

  return { take, close };
}

/** The organization's preferred seat, else one with a connection, else any free one. */
function freeSeat(seats: readonly Seat[], affinity: string): Seat | undefined {
  const own = seats[preferred(affinity, seats.length)];
  if (own && !own.taken) return own;
  const free = seats.filter((seat) => !seat.taken);
  return free.find((seat) => isSound(seat.session)) ?? free[0];
}

interface Waiter extends PromiseWithResolvers<Seat> {
  readonly affinity: string;
}

function tooBusy(): Error {
  return unavailable('All connections to the database are busy; try again shortly');
}

/** The queue for seats. */
function waitingLine() {
  const waiting = new Set<Waiter>();
  return {
    join: (affinity: string): Promise<Seat> =>
      waitInLine(waiting, { affinity, ...Promise.withResolvers<Seat>() }, tooBusy),
    /** Dequeues the first waiter with the fewest seats; undefined when all hold at least `most`. */
    next(held: (affinity: string) => number, most: number): Waiter | undefined {
      let best: Waiter | undefined;
      let least = most;
      for (const waiter of waiting) {
        const count = held(waiter.affinity);
        if (count < least) [best, least] = [waiter, count];
      }
      if (best) waiting.delete(best);
      return best;
    },
    dismiss(): void {
      for (const waiter of waiting) waiter.reject(unavailable(closedMessage));
      waiting.clear();
    },
  };
}

/** The number of seats by organization. */
function holdings() {
  const counts = new Map<string, number>();
  const of = (affinity: string) => counts.get(affinity) ?? 0;
  return {
    of,
    occupy(seat: Seat, affinity: string): void {
      seat.taken = true;
      counts.set(affinity, of(affinity) + 1);
    },
    leave(seat: Seat, affinity: string): void {
      seat.taken = false;
      if (of(affinity) > 1) counts.set(affinity, of(affinity) - 1);
      else counts.delete(affinity);
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
