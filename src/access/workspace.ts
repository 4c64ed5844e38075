/**
 * The organization's database in a caller's name. Every statement is checked: a read is sent with a statement that
 * verifies token, user, role, model version and epoch; a write contains the same check.
 */
import { isoTime } from '../lib/iso-time.ts';
import { codeOf } from '../lib/thrown.ts';
import type { Model } from '../model/model.ts';
import type { Database, Row, Rows, Transaction } from '../postgres/database.ts';
import { identifier, slot, Sql, sql, statement, template, type Statement } from '../postgres/sql.ts';
import type { Caller } from './caller.ts';

/**
 * The loaded caller or model is out of date: an attempt that has committed nothing reloads it and starts again. Its
 * cause is the database error, where a table or a column was missing.
 */
export class StaleCaller extends Error {}

export interface Workspace {
  /** The engine: Citus needs other statements for writes. */
  readonly engine: Database['engine'];
  /** A qualified table of the organization. */
  table(name: string): Sql;
  /** True while the loaded caller is current; each write has it in its `where`. Its slots take a `CallerIdentity`. */
  readonly guard: Sql;
  /** Sends reads together with the check. Throws StaleCaller. */
  read(...statements: readonly Statement[]): Promise<readonly Rows[]>;
  /**
   * Runs a read that may take long, on a plain client so that nobody waits behind it; the check comes last. Throws
   * StaleCaller.
   */
  readOnPlainClient(wanted: Statement): Promise<Rows>;
  /**
   * One data-modifying statement, committed by itself. It contains `guard` and returns it first. Throws StaleCaller.
   * `isDone` tells from the answer whether that was the attempt's last word; another statement may follow otherwise.
   */
  write(query: Statement, isDone?: (rows: readonly Row[]) => boolean): Promise<Rows>;
  /** Checks the caller (throws StaleCaller), then runs `body`; the model is locked against changes until the end. */
  transaction<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
  /**
   * A transaction for a change of the model: waits for other transactions and blocks new ones. `body` reads the model
   * anew.
   */
  exclusive<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
  /**
   * Streams the rows of a long read from one snapshot. The check follows the first rows: throws StaleCaller instead
   * of returning them. A consumer that holds back all rows until the end checks again itself.
   */
  stream(query: Statement, batch: number): AsyncIterable<readonly Row[]>;
  /**
   * Runs work that follows the change without being part of it: now, or after the commit of the enclosing
   * transaction. It continues if the caller has left. Rejects with what `work` throws.
   */
  afterwards(work: (aftermath: Aftermath) => Promise<void>): Promise<void>;
}

/** The context of work that follows a change of the model: the caller, who made the change, is not checked again. */
export interface Aftermath {
  /** One statement, committed by itself. */
  run(query: Sql): Promise<Rows>;
  /** A transaction beside those of others; the model is locked against changes until the end. */
  transaction<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
}

export interface WorkspaceTransaction {
  run(query: Sql | Statement): Promise<Rows>;
  /** Several statements without parameters, separated by semicolons: DDL. */
  script(text: string): Promise<void>;
  /** Runs `body` in a savepoint: when it throws, only its own changes are undone. */
  attempt<T>(body: () => Promise<T>): Promise<T>;
  /** Runs `work` at the end of the transaction, before the commit: for locking contended rows. */
  atEnd(work: AtEndWork): void;
}

/** Work at the end of a transaction. */
export type AtEndWork = (run: (query: Sql) => Promise<Rows>) => Promise<void>;

/** The longest that a change of the model waits for imports and other long transactions; nobody waits behind it. */
const organizationLockMs = 5_000;

/** Where the statements of a caller run. `now` (milliseconds) decides whether the token has expired. */
export interface StatementScope {
  readonly database: Database;
  readonly caller: Caller;
  readonly model: Model;
  readonly now: number;
  /** Statement timeout on a plain client. */
  readonly limitMs: number;
  /**
   * Aborted when the request is out of time or nobody waits for its answer: cancels the running statement and
   * prevents further ones.
   */
  readonly signal: AbortSignal;
  /** Aborted when the request is out of time, even if nobody waits for it. */
  readonly deadline: AbortSignal;
  readonly progress: Progress;
}

/** The claimed caller and the time; `now` (milliseconds) decides whether the token has expired. */
export type CallerIdentity = Pick<StatementScope, 'caller' | 'now'>;

/** The progress of one attempt of a request. */
export interface Progress {
  /**
   * True once the attempt, or a part of it, must not be repeated: it has written, sent something outside, or found
   * nothing to do.
   */
  hasCommitted: boolean;
}

/** How a workspace checks that the loaded caller is current. */
export interface Checks extends Pick<Workspace, 'table' | 'guard'> {
  /** A statement that selects the guard; `ofOnePlan` makes the rest of its transaction planned without values. */
  check(ofOnePlan?: boolean): Statement;
  /** Checks the caller and locks the model until the end of the transaction. Throws StaleCaller. */
  enter(tx: Transaction): Promise<void>;
  /** Checks the caller for a change of the model: waits for other transactions. Throws StaleCaller. */
  enterExclusive(tx: Transaction): Promise<void>;
}

/** The checks of the scope's caller. */
export function checksOf(scope: StatementScope): Checks {
  return new CallerChecks(scope);
}

/** A class rather than closures per call: most calls need one method. */
class CallerChecks implements Checks {
  readonly #scope: StatementScope;
  #guard: Sql | undefined;

  constructor(scope: StatementScope) {
    this.#scope = scope;
  }

  get guard(): Sql {
    return (this.#guard ??= guardOf(this.#scope, this.#scope.model));
  }

  table(name: string): Sql {
    return identifier(this.#scope.model.schema, name);
  }

  check(ofOnePlan = false): Statement {
    const { caller, model } = this.#scope;
    return checkOf(caller, model)[ofOnePlan ? 'ofOnePlan' : 'plain'](this.#scope);
  }

  async enter(tx: Transaction): Promise<void> {
    const { model } = this.#scope;
    // The lock reads the row's newest version, so no change of the model gets between the check and the end.
    const locked = sql`select ${callerCondition(this.#scope, model)} from ${this.table('_organization')} o
      where ${modelHolds(model)} and o.epoch = ${model.epoch}::bigint for key share of o`;
    verify(await tx.run(statement(locked, model.version)));
  }

  async enterExclusive(tx: Transaction): Promise<void> {
    const { model } = this.#scope;
    await holdModel(tx, model);
    verify(await tx.run(statement(sql`select ${callerCondition(this.#scope, model)}`)));
  }
}

/** Waits for other transactions and locks the model until the end of this one. */
async function holdModel(tx: Transaction, model: Model): Promise<void> {
  await tx.script(`set local lock_timeout = '${organizationLockMs}ms'`);
  await tx.run(statement(sql`select id from ${tableIn(model)('_organization')} for update`));
}

interface Check {
  readonly model: Model;
  readonly plain: (identity: CallerIdentity) => Statement;
  readonly ofOnePlan: (identity: CallerIdentity) => Statement;
}

/** The statement sent with each read is built once per Caller object, which is reloaded with each model. */
const checks = new WeakMap<Caller, Check>();

function checkOf(caller: Caller, model: Model): Check {
  let check = checks.get(caller);
  if (check?.model !== model) {
    const guard = sql`select ${guardOf({ caller, now: 0 }, model)}`;
    const plain = template(guard, model.version);
    const setting = sql`set_config('plan_cache_mode', 'force_generic_plan', true)`;
    const ofOnePlan = template(sql`${guard}, ${setting}`, model.version);
    checks.set(caller, (check = { model, plain, ofOnePlan }));
  }
  return check;
}

/** Throws StaleCaller unless the check's answer is true. */
export function verify(rows: Rows | undefined): void {
  if (rows?.rows[0]?.[0] !== 't') throw new StaleCaller();
}

/** The workspace that commits each statement or transaction by itself. */
export function openWorkspace(scope: StatementScope): Workspace {
  return new OpenWorkspace(scope);
}

class OpenWorkspace implements Workspace {
  readonly engine: Workspace['engine'];
  readonly #scope: StatementScope;
  readonly #checks: CallerChecks;

  constructor(scope: StatementScope) {
    this.engine = scope.database.engine;
    this.#scope = scope;
    this.#checks = new CallerChecks(scope);
  }

  get guard(): Sql {
    return this.#checks.guard;
  }

  table(name: string): Sql {
    return this.#checks.table(name);
  }

  async read(...statements: readonly Statement[]): Promise<readonly Rows[]> {
    const isOfOnePlan = statements.some(({ hasOnePlan }) => hasOnePlan);
    const [held, ...results] = await this.#send([this.#checks.check(isOfOnePlan), ...statements]);
    verify(held);
    return results;
  }

  async readOnPlainClient(wanted: Statement): Promise<Rows> {
    const { database, model, limitMs, signal } = this.#scope;
    const rows = await staleWhenGone(database.run(model.organizationId, wanted, limitMs, signal));
    // Last: the read may have waited for a client, and what holds now held throughout.
    verify((await this.#send([this.#checks.check()]))[0]);
    return rows;
  }

  async write(query: Statement, isDone?: (rows: readonly Row[]) => boolean): Promise<Rows> {
    const { database, model, limitMs, signal, progress } = this.#scope;
    const rows = await staleWhenGone(database.write(model.organizationId, query, limitMs, signal));
    verify(rows);
    if (isDone?.(rows.rows) !== false) progress.hasCommitted = true;
    return rows;
  }

  transaction<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T> {
    return this.#entered((tx) => this.#checks.enter(tx), body);
  }

  exclusive<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T> {
    return this.#entered((tx) => this.#checks.enterExclusive(tx), body);
  }

  async *stream(query: Statement, batch: number): AsyncGenerator<readonly Row[], void, undefined> {
    const { database, model, limitMs, signal } = this.#scope;
    const batches = database.stream(model.organizationId, query, batch, limitMs, signal)[Symbol.asyncIterator]();
    try {
      let next = await staleWhenGone(batches.next());
      // After the first rows, as in `readOnPlainClient`; the rest is of the same snapshot.
      verify((await this.#send([this.#checks.check()]))[0]);
      for (; !next.done; next = await staleWhenGone(batches.next())) yield next.value;
    } finally {
      await batches.return?.();
    }
  }

  afterwards(work: (aftermath: Aftermath) => Promise<void>): Promise<void> {
    return work(aftermathOf(this.#scope));
  }

  #send(statements: readonly Statement[]): Promise<readonly Rows[]> {
    const { database, model, signal } = this.#scope;
    return staleWhenGone(database.read(model.organizationId, statements, signal));
  }

  async #entered<T>(by: Checks['enter'], body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T> {
    const { database, model, limitMs, signal, progress } = this.#scope;
    const inside = async (tx: Transaction) => {
      await by(tx);
      return ended(tx, model.version, body);
    };
    const outcome = await staleWhenGone(database.transaction(model.organizationId, inside, limitMs, signal));
    progress.hasCommitted = true;
    return outcome;
  }
}

/** Work after a change gets the full time, even when its caller has left. */
export function aftermathOf(scope: StatementScope): Aftermath {
  const { database, model, limitMs, deadline } = scope;
  const shareModel = sql`select from ${tableIn(model)('_organization')} for key share`;
  return {
    run: (query) => database.run(model.organizationId, statement(query, model.version), limitMs, deadline),
    transaction: (body) =>
      database.transaction(
        model.organizationId,
        async (tx) => {
          await tx.run(statement(shareModel));
          return ended(tx, model.version, body);
        },
        limitMs,
        deadline,
      ),
  };
}

function tableIn(model: Model): (name: string) => Sql {
  return (name) => identifier(model.schema, name);
}

function modelHolds({ version }: Model): Sql {
  return sql`o.model_version = ${version}::bigint`;
}

function guardOf(identity: CallerIdentity, model: Model): Sql {
  return callerCondition(identity, model, modelHolds(model));
}

const identityValues = {
  token: ({ caller }: CallerIdentity) => caller.tokenId,
  user: ({ caller }: CallerIdentity) => caller.workspaceUserId,
  role: ({ caller }: CallerIdentity) => caller.role.id,
  time: ({ now }: CallerIdentity) => isoTime(now),
} as const;

/** The presence of a token is part of the text; all else of the caller is bound through slots. */
function callerCondition(identity: CallerIdentity, model: Model, organization: Sql = sql`true`): Sql {
  const table = tableIn(model);
  const token =
    identity.caller.tokenId === null
      ? sql`true`
      : sql`exists (select 1 from ${table('_tokens')} t
          where t.id = ${slot(identityValues.token, identity)}::uuid and t.workspace_user_id = u.id and t.revoked_at is null
            and (t.expires_at is null or t.expires_at > ${slot(identityValues.time, identity)}::timestamptz))`;
  return sql`exists (select 1 from ${table('_organization')} o, ${table('_users')} u
    where o.epoch = ${model.epoch}::bigint and not o.moved and ${organization}
      and u.id = ${slot(identityValues.user, identity)}::uuid and u.is_active
      and u.role_id = ${slot(identityValues.role, identity)}::uuid and ${token})`;
}

/**
 * Runs `body` in the transaction, then its work at the end; `version` is that of the model that built the statements.
 */
export async function ended<T>(
  tx: Transaction,
  version: string,
  body: (tx: WorkspaceTransaction) => Promise<T>,
): Promise<T> {
  const endings: AtEndWork[] = [];
  const outcome = await body(transactionOf(tx, version, endings));
  await end(tx, endings);
  return outcome;
}

/** Runs the work for the end of a transaction. */
export async function end(tx: Transaction, endings: readonly AtEndWork[]): Promise<void> {
  for (const work of endings) await work((query) => tx.run(statement(query)));
}

/** The transaction as operations see it; work for its end is added to `endings`. */
export function transactionOf(tx: Transaction, version: string, endings: AtEndWork[]): WorkspaceTransaction {
  return {
    run: (query) => tx.run(query instanceof Sql ? statement(query, version) : query),
    script: (text) => tx.script(text),
    attempt: (body) => keepingEndings(endings, () => inSavepoint(tx, body)),
    atEnd: (work) => void endings.push(work),
  };
}

/** Runs `body`; if it fails, its work for the end is dropped. */
export async function keepingEndings<T>(endings: AtEndWork[], body: () => Promise<T>): Promise<T> {
  const count = endings.length;
  try {
    return await body();
  } catch (error) {
    endings.length = count;
    throw error;
  }
}

/** Runs `body` in a savepoint, which may be nested: when it throws, only its own changes are undone. */
export async function inSavepoint<T>(tx: Transaction, body: () => Promise<T>): Promise<T> {
  await tx.script('savepoint attempt');
  try {
    const result = await body();
    await tx.script('release savepoint attempt');
    return result;
  } catch (error) {
    await tx.script('rollback to savepoint attempt; release savepoint attempt');
    throw error;
  }
}

/** SQLSTATEs of a missing table, column or schema, a changed column type, a missing operator, and an outdated plan. */
const outdated: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000', '42804', '42883', '0A000']);

/** Turns errors of missing or changed tables into StaleCaller: the model is old, or the organization moved. */
export async function staleWhenGone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw outdated.has(codeOf(error)) ? new StaleCaller('', { cause: error }) : error;
  }
}
