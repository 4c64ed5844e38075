/**
 * Clients that pipeline statements of many requests. An organization stays on its own client, which has its plans; a
 * client whose head statement is slow is skipped; and a slow organization uses at most half of the clients.
 */
import { errors } from '../errors.ts';
import { preferred } from './affinity.ts';
import type { Session } from './session.ts';

/** A client whose head statement takes longer is skipped, since everything queued behind it waits. */
const slowMs = 50;

interface Slot {
  session: Session | undefined;
  opening: Promise<Session> | undefined;
}

export interface SharedClients {
  /** Runs `work` with a responsive client if there is one. Throws UNAVAILABLE where none can be opened. */
  use<T>(affinity: string, work: (session: Session) => Promise<T>): Promise<T>;
  /** As `use`, with a client opened after `since`, by `performance.now()`. */
  useNewer<T>(affinity: string, since: number, work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Creates `count` clients: with `isKeptReady` opened in advance, otherwise on demand. When `deepest` statements are
 * in flight on an organization's client, a second one may be used.
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

/** Slots for the sessions, and how they are opened. */
function openedSlots(open: () => Promise<Session>, count: number) {
  const slots = Array.from({ length: count }, (): Slot => ({ session: undefined, opening: undefined }));
  let closed = false;

  /** The slot's next session; the previous one finishes what it has in flight. Throws UNAVAILABLE. */
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

  /** Opens missing and worn sessions in the background. A failure surfaces in a statement that has no session left. */
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

/** Pending answers, by session. */
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
