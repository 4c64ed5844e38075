/**
 * A workspace of which everything happens in one database transaction: a request that is kept or undone as a whole.
 * What is a transaction elsewhere is a savepoint here, so that an operation can go on after one that failed.
 */
import type { Rows, Transaction } from '../postgres/database.ts';
import { ConnectionLost, isConflict, isStalePlan } from '../postgres/failure.ts';
import {
  aftermathOf,
  checksOf,
  end,
  inSavepoint,
  keepingEndings,
  StaleCaller,
  staleWhenGone,
  transactionOf,
  verify,
  type Aftermath,
  type AtEndWork,
  type Place,
  type Workspace,
  type WorkspaceTransaction,
} from './workspace.ts';

export interface OneTransaction {
  /** For what belongs to the request but is no work of the caller's. */
  readonly tx: WorkspaceTransaction;
  /** Checks the caller (throws StaleCaller); from here on the model stays as it is. */
  open(): Promise<Workspace>;
}

/** Runs `body`, again after a deadlock; then commits, or rolls back where nothing is to be kept. Throws StaleCaller. */
export async function inOneTransaction<T>(
  place: Place,
  keep: boolean,
  body: (transaction: OneTransaction) => Promise<T>,
): Promise<T> {
  const { database, model, limitMs, signal, progress } = place;
  const checks = checksOf(place);
  let outcome: { readonly value: T; readonly afterwards: readonly Afterwards[] } | undefined;
  const rolledBack = new Error('Nothing was to be kept');
  try {
    await staleWhenGone(
      database.transaction(
        model.organizationId,
        async (tx) => {
          const work = new Work(tx);
          const open = async () => {
            await checks.enter(tx);
            return workspaceIn(work, place);
          };
          outcome = {
            value: await work.transaction(() => body({ tx: transactionOf(tx, model.version, work.endings), open })),
            afterwards: work.afterwards,
          };
          if (!keep) throw rolledBack;
          await end(tx, work.endings);
        },
        limitMs,
        signal,
      ),
    );
    progress.hasCommitted = true;
  } catch (error) {
    if (error !== rolledBack) throw error;
  }
  if (!outcome) throw new Error('A transaction ended without an outcome');
  if (keep) for (const work of outcome.afterwards) await work(aftermathOf(place));
  return outcome.value;
}

type Afterwards = (aftermath: Aftermath) => Promise<void>;

/**
 * The savepoints of a request's transaction, one after the other or one within another; remembers a failure after which
 * nothing of them may be kept.
 */
class Work {
  readonly tx: Transaction;
  readonly afterwards: Afterwards[] = [];
  readonly endings: AtEndWork[] = [];
  #fatal: Error | undefined;

  constructor(tx: Transaction) {
    this.tx = tx;
  }

  async savepoint<T>(body: () => Promise<T>): Promise<T> {
    try {
      return await keepingEndings(this.endings, () => inSavepoint(this.tx, () => staleWhenGone(body())));
    } catch (error) {
      if (error instanceof Error && endsAll(error)) this.#fatal ??= error;
      throw error;
    }
  }

  /** Fails with the fatal failure of a savepoint even where the operation made an answer of it. */
  async transaction<T>(body: () => Promise<T>): Promise<T> {
    const value = await body().catch((error: unknown) => {
      throw this.#fatal ?? error;
    });
    if (this.#fatal) throw this.#fatal;
    return value;
  }
}

/** The caller is to be loaded anew, or the transaction to be repeated, or its connection is gone. */
function endsAll(error: Error): boolean {
  return error instanceof StaleCaller || error instanceof ConnectionLost || isConflict(error) || isStalePlan(error);
}

function workspaceIn(work: Work, place: Place): Workspace {
  const { version } = place.model;
  const checks = checksOf(place);
  const { tx } = work;
  const inside = transactionOf(tx, version, work.endings);
  return {
    engine: place.database.engine,
    table: (name) => checks.table(name),
    get guard() {
      return checks.guard;
    },
    read: (...statements) =>
      work.savepoint(async () => {
        verify(await tx.run(checks.check()));
        const results: Rows[] = [];
        for (const wanted of statements) results.push(await tx.run(wanted));
        return results;
      }),
    readAlone: (wanted) =>
      work.savepoint(async () => {
        verify(await tx.run(checks.check()));
        return tx.run(wanted);
      }),
    write: (query) =>
      work.savepoint(async () => {
        const rows = await inside.run(query);
        verify(rows);
        return rows;
      }),
    transaction: (body) =>
      work.savepoint(async () => {
        await checks.enter(tx);
        return body(inside);
      }),
    exclusive: (body) =>
      work.savepoint(async () => {
        await checks.enterAlone(tx);
        const value = await body(inside);
        // What the change allowed itself is not for what follows in the same transaction.
        await tx.script('set local lock_timeout to default; set local statement_timeout to default');
        return value;
      }),
    stream() {
      throw new Error('Only what reads streams, and only what writes is one transaction');
    },
    async afterwards(later) {
      work.afterwards.push(later);
    },
  };
}
