/**
 * Clients on which statements of many requests travel without waiting for each other's answers. An organization keeps to its own,
 * where its plans are; a client whose head waits is passed over; and an organization that is slow has half of the clients at most.
 */
import { errors } from '../errors.ts';
import { preferred } from './affinity.ts';
import type { Session } from './session.ts';

/** A client whose head statement takes longer is passed over: everything queued behind it waits as long. */
const slowMs = 50;

interface Slot {
  session: Session | undefined;
  opening: Promise<Session> | undefined;
}

export interface SharedClients {
  /** Does `work` with a client that flows, if there is one. Throws UNAVAILABLE where none can be had. */
  use<T>(affinity: string, work: (session: Session) => Promise<T>): Promise<T>;
  /** The same with a client that was opened after `since`, by `performance.now()`. */
  useNewer<T>(affinity: string, since: number, work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * So many clients: all of them opened before they are needed with `isKeptReady`, otherwise as they are. What comes when `deepest`
 * statements are on their way on an organization's client may go to a second one.
 */
export function sharedClients(
  open: () => Promise<Session>,
  count: number,
  { deepest = Infinity, isKeptReady = false }: { readonly deepest?: number; readonly isKeptReady?: boolean },
): SharedClients {
  const { slots, refill, renew, close } = openedSlots(open, count);
  const { owing, owes } = debts();

  function pick(own: Slot, affinity: string): Session | undefined {
    dropUnusable(slots);
    const second = slots[(slots.indexOf(own) + 1) % count]!;
    const { session } = own;
    if (session && isFlowing(session)) {
      const isDeep = session.inFlight >= deepest;
      renew(isKeptReady ? slots : isDeep ? [own, second] : [own]);
      return isDeep ? shallower(session, second.session) : session;
    }
    renew(isKeptReady || session ? slots : [own]);
    const sessions = slots.flatMap((slot) => slot.session ?? []);
    const used = sessions.filter((each) => owes(each, affinity));
    if (used.length >= count / 2) return least(used);
    return least(sessions.filter(isFlowing)) ?? session ?? least(sessions);
  }

  if (isKeptReady) renew(slots);
  return {
    use(affinity, work) {
      const own = slots[preferred(affinity, count)]!;
      const session = pick(own, affinity);
      return session ? owing(session, affinity, work) : refill(own).then((opened) => owing(opened, affinity, work));
    },
    async useNewer(affinity, since, work) {
      const own = slots[preferred(affinity, count)]!;
      const isNewer = own.session?.usable === true && own.session.openedAt > since;
      const session = isNewer ? own.session! : await refill(own);
      return owing(session, affinity, work);
    },
    close,
  };
}

/** Places for so many sessions, and how they come to have them. */
function openedSlots(open: () => Promise<Session>, count: number) {
  const slots = Array.from({ length: count }, (): Slot => ({ session: undefined, opening: undefined }));
  let closed = false;

  /** The slot's next session; the one before it finishes what it has in flight. Throws UNAVAILABLE. */
  async function refill(slot: Slot): Promise<Session> {
    if (closed) throw errors.unavailable(new Error('The database was closed'));
    slot.opening ??= open()
      .then((session) => {
        const previous = slot.session;
        slot.session = closed ? undefined : session;
        if (previous) discard(previous);
        if (closed) discard(session);
        return session;
      })
      .finally(() => (slot.opening = undefined));
    return slot.opening;
  }

  /** Opens those that are not there, or have seen too much. A failure shows in the statement that has no session left to take. */
  function renew(some: readonly Slot[]): void {
    for (const slot of some) if (!isFresh(slot)) refill(slot).catch(() => {});
  }

  async function close(): Promise<void> {
    closed = true;
    const opening = slots.map((slot) => slot.opening?.then(discard, () => {}));
    await Promise.all([...opening, ...slots.map((slot) => slot.session?.close())]);
  }

  return { slots, refill, renew, close };
}

/** Whose answers are still to come, by session. */
function debts() {
  const creditors = new WeakMap<Session, string[]>();
  return {
    owes: (session: Session, affinity: string) => creditors.get(session)?.includes(affinity) === true,
    async owing<T>(session: Session, affinity: string, work: (session: Session) => Promise<T>): Promise<T> {
      const line = creditors.get(session) ?? [];
      creditors.set(session, line);
      line.push(affinity);
      try {
        return await work(session);
      } finally {
        line.splice(line.indexOf(affinity), 1);
      }
    },
  };
}

function dropUnusable(slots: readonly Slot[]): void {
  for (const slot of slots) {
    if (!slot.session || slot.session.usable) continue;
    discard(slot.session);
    slot.session = undefined;
  }
}

function isFresh(slot: Slot): boolean {
  return slot.session !== undefined && !slot.session.worn;
}

function isFlowing(session: Session): boolean {
  return session.waitingMs < slowMs;
}

function shallower(own: Session, second: Session | undefined): Session {
  return second && isFlowing(second) && second.inFlight < own.inFlight ? second : own;
}

function least(sessions: readonly Session[]): Session | undefined {
  return sessions.toSorted((a, b) => a.inFlight - b.inFlight)[0];
}

function discard(session: Session): void {
  session.close(session.kind.statementTimeoutMs).catch(() => {});
}
