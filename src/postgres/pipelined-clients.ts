/**
 * The shared clients for reads: statements of many requests travel on one connection without waiting for each other's
 * answers. A lost connection is replaced and its reads are repeated once. An organization whose reads are slow holds up
 * half of the clients at most: the others stay for the others.
 */
import { errors } from '../errors.ts';
import { preferred } from './affinity.ts';
import type { Rows } from './database.ts';
import { ConnectionLost, isStalePlan, toCaller } from './failure.ts';
import type { Session } from './session.ts';
import type { Statement } from './sql.ts';
import { createTurns } from './turns.ts';

/** A client whose head statement takes longer is passed over: everything queued behind it waits as long. */
const slowMs = 50;

/** Reads of one organization on their way at once: enough to keep its backend busy, few to wait behind. */
const mostAtOnce = 8;
/** A session that others share may become stale again before a repeated read is through: tables may change one after the other. */
const stalePlanRetries = 8;

interface Slot {
  session: Session | undefined;
  opening: Promise<Session> | undefined;
}

export interface PipelinedClients {
  /** What still waits for its turn when `signal` is aborted is not sent. */
  read(affinity: string, statements: readonly Statement[], signal?: AbortSignal): Promise<readonly Rows[]>;
  close(): Promise<void>;
}

/** So many clients for reads, opened when they are needed; each sends on without waiting for earlier answers. */
export function pipelinedClients(open: () => Promise<Session>, count: number): PipelinedClients {
  const slots = Array.from({ length: count }, (): Slot => ({ session: undefined, opening: undefined }));
  const turns = createTurns(mostAtOnce);
  const { send, owes } = debts();
  let closed = false;

  /** The slot's next session; the one before it finishes what it has in flight. */
  function refill(slot: Slot): Promise<Session> {
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

  function pick(own: Slot, affinity: string): Session | undefined {
    dropUnusable(slots);
    // A failed refill shows in the read that has no session left to take.
    if (!slots.every(isFresh)) for (const slot of slots) if (!isFresh(slot)) refill(slot).catch(() => {});
    if (own.session && own.session.waitingMs < slowMs) return own.session;
    const sessions = slots.flatMap((slot) => slot.session ?? []);
    const flowing = sessions.filter((session) => session.waitingMs < slowMs);
    const used = sessions.filter((session) => owes(session, affinity));
    if (used.length >= count / 2) return least(used);
    return least(flowing) ?? own.session ?? least(sessions);
  }

  async function readInTurn(affinity: string, statements: readonly Statement[]): Promise<readonly Rows[]> {
    if (closed) throw errors.unavailable(new Error('The database was closed'));
    const own = slots[preferred(affinity, count)]!;
    let session = pick(own, affinity);
    const mayRepeat = repeats();
    for (;;) {
      const began = performance.now();
      try {
        return await send(session ?? (await refill(own)), affinity, statements);
      } catch (error) {
        if (!mayRepeat(error)) throw toCaller(error);
      }
      session = own.session?.usable === true && own.session.openedAt > began ? own.session : undefined;
    }
  }

  async function close(): Promise<void> {
    closed = true;
    const opening = slots.map((slot) => slot.opening?.then(discard, () => {}));
    await Promise.all([...opening, ...slots.map((slot) => slot.session?.close())]);
  }

  for (const slot of slots) refill(slot).catch(() => {});
  return {
    read: (affinity, statements, signal) => turns.take(affinity, () => readInTurn(affinity, statements), signal),
    close,
  };
}

/** Counts the failures of one read, and says whether it may be sent again. */
function repeats() {
  const failures = { lost: 0, stale: 0 };
  return (error: unknown): boolean =>
    isStalePlan(error) ? failures.stale++ < stalePlanRetries : error instanceof ConnectionLost && failures.lost++ < 1;
}

/** Whose answers are still to come, by session. */
function debts() {
  const creditors = new WeakMap<Session, string[]>();
  return {
    owes: (session: Session, affinity: string) => creditors.get(session)?.includes(affinity) === true,
    async send(session: Session, affinity: string, statements: readonly Statement[]): Promise<readonly Rows[]> {
      const line = creditors.get(session) ?? [];
      creditors.set(session, line);
      line.push(affinity);
      try {
        return await session.batch(statements);
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

function least(sessions: readonly Session[]): Session | undefined {
  return sessions.toSorted((a, b) => a.inFlight - b.inFlight)[0];
}

function discard(session: Session): void {
  session.close(session.kind.statementTimeoutMs).catch(() => {});
}
