/**
 * The organization's database in a caller's name. Nothing passes it unchecked: a read travels with a statement that
 * verifies token, user, role, model version and epoch; a write carries the same check inside itself.
 */
import { isoTime } from '../lib/iso-time.ts';
import { codeOf } from '../lib/thrown.ts';
import type { Model } from '../model/model.ts';
import type { Database, Row, Rows, Transaction } from '../postgres/database.ts';
import { identifier, slot, Sql, sql, statement, template, type Statement } from '../postgres/sql.ts';
import type { Caller } from './caller.ts';

/**
 * What the caller was loaded with no longer holds: whoever has committed nothing yet loads it anew and begins again. Its cause is
 * the failure that says so, where a table or a column was not there.
 */
export class StaleCaller extends Error {}

export interface Workspace {
  /** What the organization lies on: Citus takes other statements for a write. */
  readonly engine: Database['engine'];
  /** A table of the organization, qualified. */
  table(name: string): Sql;
  /** True while the caller is who it was loaded as; each write has it in its `where`. Its slots take from a `CallerIdentity`. */
  readonly guard: Sql;
  /** Sends reads at once, with the check. Throws StaleCaller. */
  read(...statements: readonly Statement[]): Promise<readonly Rows[]>;
  /** A read that may take long: on a plain client, where nobody waits behind it; the check comes last. Throws StaleCaller. */
  readAlone(wanted: Statement): Promise<Rows>;
  /** One data-modifying statement, committed by itself. It contains `guard`, and answers it first. Throws StaleCaller. */
  write(query: Statement): Promise<Rows>;
  /** Checks the caller first (throws StaleCaller), then runs `body`; the model stays as it is until the end. */
  transaction<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
  /** As `transaction`, for a change of the model itself: waits for other transactions, and holds off the next. `body` reads the model anew. */
  exclusive<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
  /**
   * The rows of a long read as they were at one moment, some at a time. The check comes behind the first of them: throws
   * StaleCaller instead of those. Whoever gives nothing away before the last row checks again behind it.
   */
  stream(query: Statement, batch: number): AsyncIterable<readonly Row[]>;
  /**
   * Does what may follow the change but is no part of it: at once, or when the transaction that all is in was committed.
   * Goes on when the caller has left. Rejects with what `work` throws.
   */
  afterwards(work: (aftermath: Aftermath) => Promise<void>): Promise<void>;
}

/** Where that is done which follows a change of the model: the caller, who made it, is not looked at again. */
export interface Aftermath {
  /** One statement, committed by itself. */
  run(query: Sql): Promise<Rows>;
  /** A transaction beside those of others; the model stays as it is until the end. */
  transaction<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
  /** A transaction in which no other change of the model comes to its end. */
  exclusive<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T>;
}

export interface WorkspaceTransaction {
  run(query: Sql | Statement): Promise<Rows>;
  /** Several statements without parameters, separated by semicolons: DDL. */
  script(text: string): Promise<void>;
  /** Runs `body` in a savepoint: when it throws, only its own changes are undone. */
  attempt<T>(body: () => Promise<T>): Promise<T>;
  /** Has `work` done as the last of the transaction, where it is committed: for what locks a row that many wait for. */
  atEnd(work: AtEndWork): void;
}

/** What is done as the last of a transaction. */
export type AtEndWork = (run: (query: Sql) => Promise<Rows>) => Promise<void>;

/** The longest that a change of the model waits for imports and the like to end; nobody waits behind it meanwhile. */
const organizationLockMs = 5_000;

/** Where a caller's statements go. `now` (milliseconds) decides whether the token has expired. */
export interface Place {
  readonly database: Database;
  readonly caller: Caller;
  readonly model: Model;
  readonly now: number;
  /** How long each statement may take on a plain client. */
  readonly limitMs: number;
  /** Aborted when the request is out of time, or nobody waits for its answer: ends what is at hand and what would follow. */
  readonly signal: AbortSignal;
  /** Aborted when the request is out of time, also where nobody waits for it. */
  readonly deadline: AbortSignal;
  readonly progress: Progress;
}

/** Who says to be the caller, and when; `now` (milliseconds) decides whether the token has expired. */
export type CallerIdentity = Pick<Place, 'caller' | 'now'>;

/** How far work has come that is one attempt of a request. */
export interface Progress {
  /**
   * From then on it must not be begun again: something was written, was sent outside, or turned out to be nothing. Also where a
   * part of it did so.
   */
  hasCommitted: boolean;
}

/** How a workspace assures itself that its caller is who it was loaded as. */
export interface Checks extends Pick<Workspace, 'table' | 'guard'> {
  /** The guard, asked for itself; `ofOnePlan` has the rest of its transaction planned without a look at values. */
  check(ofOnePlan?: boolean): Statement;
  /** Checks the caller, and keeps the model as it is until the end of the transaction. Throws StaleCaller. */
  enter(tx: Transaction): Promise<void>;
  /** As `enter`, for a change of the model: waits for other transactions. Throws StaleCaller. */
  enterAlone(tx: Transaction): Promise<void>;
}

/** The checks for the caller of this place. */
export function checksOf(place: Place): Checks {
  return new CallerChecks(place);
}

/** Methods rather than functions of each call: most calls need one of them. */
class CallerChecks implements Checks {
  readonly #place: Place;
  #guard: Sql | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  get guard(): Sql {
    return (this.#guard ??= guardOf(this.#place, this.#place.model));
  }

  table(name: string): Sql {
    return identifier(this.#place.model.schema, name);
  }

  check(ofOnePlan = false): Statement {
    const { caller, model } = this.#place;
    return checkOf(caller, model)[ofOnePlan ? 'ofOnePlan' : 'plain'](this.#place);
  }

  async enter(tx: Transaction): Promise<void> {
    const { model } = this.#place;
    // Under the lock the row's own newest version is looked at: no model comes between the check and the end.
    const locked = sql`select ${callerCondition(this.#place, model)} from ${this.table('_organization')} o
      where ${modelHolds(model)} and o.epoch = ${model.epoch}::bigint for key share of o`;
    verify(await tx.run(statement(locked, model.version)));
  }

  async enterAlone(tx: Transaction): Promise<void> {
    const { model } = this.#place;
    await holdModel(tx, model);
    verify(await tx.run(statement(sql`select ${callerCondition(this.#place, model)}`)));
  }
}

/** Waits for other transactions, and keeps the model as it is until the end of this one. */
async function holdModel(tx: Transaction, model: Model): Promise<void> {
  await tx.script(`set local lock_timeout = '${organizationLockMs}ms'`);
  await tx.run(statement(sql`select id from ${tableIn(model)('_organization')} for update`));
}

interface Check {
  readonly model: Model;
  readonly plain: (claim: CallerIdentity) => Statement;
  readonly ofOnePlan: (claim: CallerIdentity) => Statement;
}

/** What is sent with each read is made once for a caller, who is loaded anew with each model. */
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

/** Throws StaleCaller unless the answer of a check is yes. */
export function verify(rows: Rows | undefined): void {
  if (rows?.rows[0]?.[0] !== 't') throw new StaleCaller();
}

/** The workspace in which each statement or transaction is committed by itself. */
export function openWorkspace(place: Place): Workspace {
  return new OpenWorkspace(place);
}

class OpenWorkspace implements Workspace {
  readonly engine: Workspace['engine'];
  readonly #place: Place;
  readonly #checks: CallerChecks;

  constructor(place: Place) {
    this.engine = place.database.engine;
    this.#place = place;
    this.#checks = new CallerChecks(place);
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

  async readAlone(wanted: Statement): Promise<Rows> {
    const { database, model, limitMs, signal } = this.#place;
    const rows = await staleWhenGone(database.run(model.organizationId, wanted, limitMs, signal));
    // Last: it may have waited for its client, and what holds now held all the while.
    verify((await this.#send([this.#checks.check()]))[0]);
    return rows;
  }

  async write(query: Statement): Promise<Rows> {
    const { database, model, limitMs, signal, progress } = this.#place;
    const rows = await staleWhenGone(database.write(model.organizationId, query, limitMs, signal));
    verify(rows);
    progress.hasCommitted = true;
    return rows;
  }

  transaction<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T> {
    return this.#entered((tx) => this.#checks.enter(tx), body);
  }

  exclusive<T>(body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T> {
    return this.#entered((tx) => this.#checks.enterAlone(tx), body);
  }

  async *stream(query: Statement, batch: number): AsyncGenerator<readonly Row[], void, undefined> {
    const { database, model, limitMs, signal } = this.#place;
    const batches = database.stream(model.organizationId, query, batch, limitMs, signal)[Symbol.asyncIterator]();
    try {
      let next = await staleWhenGone(batches.next());
      // As in `readAlone`; from here on nothing else can be read, since all of it is of one moment.
      verify((await this.#send([this.#checks.check()]))[0]);
      for (; !next.done; next = await staleWhenGone(batches.next())) yield next.value;
    } finally {
      await batches.return?.();
    }
  }

  afterwards(work: (aftermath: Aftermath) => Promise<void>): Promise<void> {
    return work(aftermathOf(this.#place));
  }

  #send(statements: readonly Statement[]): Promise<readonly Rows[]> {
    const { database, model, signal } = this.#place;
    return staleWhenGone(database.read(model.organizationId, statements, signal));
  }

  async #entered<T>(by: Checks['enter'], body: (tx: WorkspaceTransaction) => Promise<T>): Promise<T> {
    const { database, model, limitMs, signal, progress } = this.#place;
    const inside = async (tx: Transaction) => {
      await by(tx);
      return ended(tx, model.version, body);
    };
    const outcome = await staleWhenGone(database.transaction(model.organizationId, inside, limitMs, signal));
    progress.hasCommitted = true;
    return outcome;
  }
}

/** What a request has changed is completed in the time that it has, also when its caller has left. */
export function aftermathOf(place: Place): Aftermath {
  const { database, model, limitMs, deadline } = place;
  const entered = <T>(enter: (tx: Transaction) => Promise<unknown>, body: (tx: WorkspaceTransaction) => Promise<T>) => {
    const inside = async (tx: Transaction) => {
      await enter(tx);
      return ended(tx, model.version, body);
    };
    return database.transaction(model.organizationId, inside, limitMs, deadline);
  };
  const shareModel = sql`select from ${tableIn(model)('_organization')} for key share`;
  return {
    run: (query) => database.run(model.organizationId, statement(query, model.version), limitMs, deadline),
    transaction: (body) => entered((tx) => tx.run(statement(shareModel)), body),
    exclusive: (body) => entered((tx) => holdModel(tx, model), body),
  };
}

function tableIn(model: Model): (name: string) => Sql {
  return (name) => identifier(model.schema, name);
}

function modelHolds({ version }: Model): Sql {
  return sql`o.model_version = ${version}::bigint`;
}

function guardOf(claim: CallerIdentity, model: Model): Sql {
  return callerCondition(claim, model, modelHolds(model));
}

const claimed = {
  token: ({ caller }: CallerIdentity) => caller.tokenId,
  user: ({ caller }: CallerIdentity) => caller.workspaceUserId,
  role: ({ caller }: CallerIdentity) => caller.role.id,
  time: ({ now }: CallerIdentity) => isoTime(now),
} as const;

/** Whether there is a token, its text says; all else of the caller is taken from the claim with which it is sent. */
function callerCondition(claim: CallerIdentity, model: Model, organization: Sql = sql`true`): Sql {
  const table = tableIn(model);
  const token =
    claim.caller.tokenId === null
      ? sql`true`
      : sql`exists (select 1 from ${table('_tokens')} t
          where t.id = ${slot(claimed.token, claim)}::uuid and t.workspace_user_id = u.id and t.revoked_at is null
            and (t.expires_at is null or t.expires_at > ${slot(claimed.time, claim)}::timestamptz))`;
  return sql`exists (select 1 from ${table('_organization')} o, ${table('_users')} u
    where o.epoch = ${model.epoch}::bigint and not o.moved and ${organization}
      and u.id = ${slot(claimed.user, claim)}::uuid and u.is_active
      and u.role_id = ${slot(claimed.role, claim)}::uuid and ${token})`;
}

/** Runs `body` in the transaction, and then what it wants done at the end; `version` is that of the model whose statements it runs. */
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

/** Does what is to be the last of the transaction. */
export async function end(tx: Transaction, endings: readonly AtEndWork[]): Promise<void> {
  for (const work of endings) await work((query) => tx.run(statement(query)));
}

/** The transaction as operations see it; what is to be done at its end is added to `endings`. */
export function transactionOf(tx: Transaction, version: string, endings: AtEndWork[]): WorkspaceTransaction {
  return {
    run: (query) => tx.run(query instanceof Sql ? statement(query, version) : query),
    script: (text) => tx.script(text),
    attempt: (body) => keepingEndings(endings, () => inSavepoint(tx, body)),
    atEnd: (work) => void endings.push(work),
  };
}

/** Runs `body`; where it fails, what it wanted done at the end is not done. */
export async function keepingEndings<T>(endings: AtEndWork[], body: () => Promise<T>): Promise<T> {
  const count = endings.length;
  try {
    return await body();
  } catch (error) {
    endings.length = count;
    throw error;
  }
}

/** Runs `body` in a savepoint, which may lie in another one: when it throws, only its own changes are undone. */
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

/** No such table, column or schema; a column of another type, or an operator that it does not have; a plan for what was. */
const outdated: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000', '42804', '42883', '0A000']);

/** A table that is not there any more, or is another, means that the model is old, or that the organization moved. */
export async function staleWhenGone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw outdated.has(codeOf(error)) ? new StaleCaller('', { cause: error }) : error;
  }
}
