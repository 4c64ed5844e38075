/**
 * Begin, the caller's statements one by one, commit. Every answer is awaited, and a commit that rolled back is a
 * failure: sent without waiting, a failed statement in the middle would end in a 'successful' COMMIT.
 */
import type { Transaction } from './database.ts';
import { isConflict, isStalePlan } from './failure.ts';
import type { Session } from './session.ts';

/** The outcome of an attempt; `repeatable` after a deadlock, a serialization failure or a stale plan. */
export type Outcome<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done: false; readonly error: unknown; readonly repeatable: boolean };

/** Runs `body` once between begin and commit. Throws only when `begin` fails. */
export async function attempt<T>(
  session: Session,
  body: (tx: Transaction) => Promise<T>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  await session.limit(limitMs);
  await session.script('begin');
  let over = false;
  let repeatable = false;
  let last: Promise<unknown> = Promise.resolve();

  // Concurrent statements of a body still run one by one, and none may follow the end of the transaction.
  function inTurn<R>(work: () => Promise<R>): Promise<R> {
    const result = last.then(() => {
      if (over) throw new Error('The transaction is over');
      signal?.throwIfAborted();
      return work();
    });
    last = result.catch((error: unknown) => {
      repeatable ||= isRepeatable(error);
    });
    return result;
  }

  const tx: Transaction = {
    run: (statement) => inTurn(() => session.query(statement, signal)),
    script: (text) => inTurn(async () => void (await session.script(text))),
    copyOut: (text, take) => inTurn(() => session.copyOut(text, take)),
    copyIn: (text, feed) => inTurn(() => session.copyIn(text, feed)),
  };
  // Never cancels the end itself: a cancelled commit may have happened.
  const cancel = () => over || session.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const value = await body(tx);
    await last;
    signal?.throwIfAborted();
    over = true;
    const tag = await session.script('commit');
    if (tag !== 'COMMIT') throw new Error(`The transaction was not committed: a statement in it had failed (${tag})`);
    return { done: true, value };
  } catch (error) {
    over = true;
    await last;
    await rollBack(session);
    if (signal?.aborted) return { done: false, error: signal.reason, repeatable: false };
    return { done: false, error, repeatable: repeatable || isRepeatable(error) };
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function isRepeatable(error: unknown): boolean {
  return isConflict(error) || isStalePlan(error);
}

async function rollBack(session: Session): Promise<void> {
  try {
    if (session.inTransaction) await session.script('rollback');
  } catch {
    session.destroy();
  }
}
