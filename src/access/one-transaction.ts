/**
 * A workspace within one database transaction, for a request that is kept or undone as a whole. Nested transactions
 * are savepoints, so that an operation can go on after one that failed.
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
  type StatementScope,
  type Workspace,
  type WorkspaceTransaction,
} from './workspace.ts';

export interface OneTransaction {
  /** For work that belongs to the request, not to its caller. */
  readonly tx: WorkspaceTransaction;
  /** Checks the caller (throws StaleCaller); the model stays unchanged from then on. */
  open(): Promise<Workspace>;
}

/**
 * Runs `body`, retried after a deadlock; then commits, or rolls back where nothing is to be kept. Throws StaleCaller.
 */
export async function inOneTransaction<T>(
  scope: StatementScope,
  keep: boolean,
  body: (transaction: OneTransaction) => Promise<T>,
): Promise<T> {
  const { database, model, limitMs, signal, progress } = scope;
  const checks = checksOf(scope);
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
            return workspaceIn(work, scope);
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
  if (keep) for (const work of outcome.afterwards) await work(aftermathOf(scope));
  return outcome.value;
}

type Afterwards = (aftermath: Aftermath) => Promise<void>;

/** The savepoints of a request's transaction, in sequence or nested; remembers a failure that dooms all of them. */
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

  /** Rethrows a savepoint's fatal failure even if the operation caught it. */
  async transaction<T>(body: () => Promise<T>): Promise<T> {
    const value = await body().catch((error: unknown) => {
      throw this.#fatal ?? error;
    });
    if (this.#fatal) throw this.#fatal;
    return value;
  }
}

/**
 * Whether the whole transaction has to end: to reload the caller, to be repeated, or because the connection is gone.
 */
function endsAll(error: Error): boolean {
  return error instanceof StaleCaller || error instanceof ConnectionLost || isConflict(error) || isStalePlan(error);
}

function workspaceIn(work: Work, scope: StatementScope): Workspace {
  const { version } = scope.model;
  const checks = checksOf(scope);
  const { tx } = work;
  const inside = transactionOf(tx, version, work.endings);
  return {
    engine: scope.database.engine,
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
    readOnPlainClient: (wanted) =>
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
        await checks.enterExclusive(tx);
        const value = await body(inside);
        // The timeouts of the model's change must not apply to later statements of the transaction.
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
