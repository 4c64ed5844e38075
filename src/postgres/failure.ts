/**
 * The meaning of a failed statement: whether the connection is gone, whether it may be repeated, and the error for
 * the caller. Errors about data (a violated constraint, a value out of range) are passed through; `sqlState` reads
 * them.
 */
import { DatabaseError } from 'pg';
import { errors, KithError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';

/** The connection was lost during a statement: its effect is unknown. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost', { cause });
    this.name = 'ConnectionLost';
  }
}

/** The server accepts connections, but is frozen or too busy to greet. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('It accepts connections but does not answer', { cause });
    this.name = 'NoAnswer';
  }
}

/** Whether NoAnswer is the error or among its causes. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Error && isNoAnswer(error.cause));
}

/** The SQLSTATE of an error or of its causes, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return databaseError(error)?.code;
}

/**
 * The constraint that a write violated. On Citus its name ends in a shard's number, and appears only in the message.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const found = databaseError(error);
  return found?.constraint ?? /constraint "([^"]+)"/.exec(found?.message ?? '')?.[1];
}

function databaseError(error: unknown): DatabaseError | undefined {
  let link = error;
  for (let depth = 0; depth < 5 && link instanceof Error; depth++) {
    if (link instanceof DatabaseError) return link;
    link = link.cause;
  }
  return undefined;
}

// Class 08, the server's shutdowns and crash (57P01 to 57P03), and the two time-outs that end a session.
const endsSession = /^(08...|57P0[1-5]|25P03)$/;

/** Whether the server has ended the session with this error. */
export function endsConnection(error: unknown): boolean {
  return error instanceof DatabaseError && endsSession.test(error.code ?? '');
}

/** A prepared plan invalidated by a changed table or a reset connection; the statement did nothing. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery');
}

/** A deadlock or a serialization failure: nothing was done, and a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** A lock was not obtained within the transaction's limit. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** A statement exceeded its time limit. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** The server's disk is full. */
export function isDiskFull(error: unknown): boolean {
  return sqlState(error) === '53100' && !isMemoryFull(error);
}

/** Full shared memory of parallel workers, whose file system is small in containers, is reported like a full disk. */
function isMemoryFull(error: unknown): boolean {
  return databaseError(error)?.routine?.startsWith('dsm_impl_') === true && sqlState(error) === '53100';
}

/** The database rejects a written value: out of range, against a constraint, or too large. */
export function isRefusal(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error) ?? '');
}

/** Turns troubles of the database into UNAVAILABLE; returns every other error unchanged. */
export function toCaller(error: unknown): unknown {
  if (error instanceof ConnectionLost) return errors.unavailable(error.cause);
  if (!(error instanceof DatabaseError)) return error;
  if (isDiskFull(error)) return unavailable('The disk of the database is full', error);
  if (isMemoryFull(error))
    return unavailable(
      'The shared memory of the database is full: give it more (/dev/shm; docker run --shm-size)',
      error,
    );
  if (isCanceled(error)) return tookTooLong(error);
  return error.code?.startsWith('53') ? errors.unavailable(error) : error;
}

/** Why a connection could not be made, in one line without secrets. */
export function connectReason(error: unknown): string {
  if (error instanceof KithError && error.cause !== undefined) return connectReason(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return connectReason(error.errors[0]);
  return messageOf(error);
}

/** UNAVAILABLE for work aborted at its time limit. */
export function tookTooLong(cause: unknown): KithError {
  return unavailable('The request took too long and was broken off; ask for less or try again', cause);
}

/** UNAVAILABLE for a session that could not be opened. */
export function unavailable(message: string, cause?: unknown): KithError {
  return new KithError('UNAVAILABLE', message, { cause });
}
