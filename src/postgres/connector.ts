/**
 * Opens sessions to one PostgreSQL and watches the open ones. A short absence (a restart) is waited out once; while
 * the server is known to be down, every attempt fails at once. A server that accepts connections but is frozen is
 * detected, too; its silence is measured in the process's own time, since a blocked process hears nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { errors } from '../errors.ts';
import { ownNow, stretch } from '../lib/own-time.ts';
import { connectReason } from './failure.ts';
import type { Log } from './log.ts';
import { openSession } from './session.ts';
import type { Connection, Session, SessionKind } from './session.ts';

const patienceMs = 2_000;
const pauseMs = 50;
const watchEveryMs = 250;
/** An answer that takes this long makes the watch probe the server. */
const suspiciousMs = 1_000;
const probeAgainMs = 5_000;
/** The server cancels statements at their limit; one that exceeds it by this much has lost its server. */
const graceMs = 3_000;
/** If this process was blocked that long during an attempt, the attempt says nothing about the server. */
const mostLostMs = 500;
/** Pause in attempts after the server was found frozen; otherwise each read would wait for it again. */
const frozenMs = 1_000;

export interface Connector {
  /** Opens a session; throws UNAVAILABLE within four seconds. */
  open(kind: SessionKind): Promise<Session>;
  close(): void;
}

/** Creates the connector of one server: it waits for a starting server, and pauses after one does not answer. */
export function connector(connection: Connection, log: Log): Connector {
  const sessions = new Set<Session>();
  let away = false;
  let frozenUntil = 0;

  async function open(kind: SessionKind): Promise<Session> {
    if (performance.now() < frozenUntil) throw errors.unavailable(new Error('The server does not answer'));
    const deadline = ownNow() + patienceMs;
    for (;;) {
      const attempt = stretch();
      try {
        const session = await openSession(connection, kind);
        if (away) log.info({}, 'PostgreSQL is back');
        away = false;
        sessions.add(session);
        return session;
      } catch (error) {
        const isTelling = attempt.lostMs < mostLostMs;
        if ((isTelling && (away || !mayPass(error))) || ownNow() > deadline) {
          if (!away) log.error({ reason: connectReason(error) }, 'PostgreSQL cannot be reached');
          away = true;
          throw errors.unavailable(error);
        }
        await sleep(pauseMs);
      }
    }
  }

  const stopWatching = watch(sessions, connection, (stalled) => {
    log.error({ connections: stalled.length }, 'PostgreSQL does not answer: its connections are cut');
    frozenUntil = performance.now() + frozenMs;
  });
  return { open, close: stopWatching };
}

/** Cuts sessions whose server froze, so that their users get an error. Returns a function that stops. */
function watch(
  sessions: Set<Session>,
  connection: Connection,
  onFrozen: (cut: readonly Session[]) => void,
): () => void {
  let probing = false;
  let lastProbe = -Infinity;

  function look(): void {
    for (const session of sessions) {
      if (!session.usable && session.inFlight === 0) sessions.delete(session);
      else if (session.waitingMs > session.limitMs + graceMs) session.destroy();
    }
    const stalled = [...sessions].filter((session) => session.waitingMs > suspiciousMs);
    if (probing || stalled.length === 0 || performance.now() - lastProbe < probeAgainMs) return;
    probing = true;
    void probe(connection).then((found) => {
      probing = false;
      if (found === 'answers') lastProbe = performance.now();
      else if (found === 'silent') {
        onFrozen(stalled);
        for (const session of stalled) session.destroy();
      }
    });
  }

  const timer = setInterval(look, watchEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** `unheard`: this process was blocked itself, and probes again. */
async function probe(connection: Connection): Promise<'answers' | 'silent' | 'unheard'> {
  const attempt = stretch();
  try {
    const session = await openSession(connection, { pipelined: false, statementTimeoutMs: suspiciousMs });
    await session.close();
    return 'answers';
  } catch (error) {
    // A server without a free connection slot still answers, which is enough.
    if (error instanceof DatabaseError) return 'answers';
    return attempt.lostMs < mostLostMs ? 'silent' : 'unheard';
  }
}

const passing = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P03', '57P01', '53300']);

function mayPass(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(mayPass);
  if (!(error instanceof Error)) return false;
  // A server that shuts down between accepting and greeting closes the socket, for which the driver has no code.
  return 'code' in error ? passing.has(String(error.code)) : error.message === 'Connection terminated unexpectedly';
}
