/**
 * Moves an organization to another datasource while it is in use. A snapshot is copied; then writers wait while the copy is
 * brought up to date and the original's schema is renamed, which is the cut-over; the directory follows. Reads continue
 * until then. An interrupted move can be repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '../directory/datasources.ts';
import type { Organization } from '../directory/directory.ts';
import { retiredName } from '../directory/moves.ts';
import { errors, KithError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { sqlState } from '../postgres/failure.ts';
import { identifier, join, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { catchUp } from './catch-up.ts';
import { copyOrganization, versionsOf, type Copied } from './copy-organization.ts';
import { continueHistory, mayBeIdle } from './tables.ts';

export interface Moved {
  readonly organizationId: string;
  readonly datasourceId: string;
  /** Rows of the first copy, without later changes; zero if it was there already. */
  readonly rows: number;
  /** How long writers waited. */
  readonly waitedMs: number;
}

/** The longest that writers wait per attempt; clients behind them wait at most two seconds for a connection. */
const fenceMs = 5_000;
/** Longer than the second after which PostgreSQL cancels its own vacuum. */
const lockMs = 1_500;
/** Attempts to lock the tables. */
const lockAttempts = 10;
const pauseMs = 500;
const copies = 3;
const dropMs = 30_000;

/**
 * Moves the organization. Throws NOT_FOUND, VALIDATION_ERROR for an unknown datasource, and CONFLICT for a busy
 * organization, which then stays where it was, as it does if `signal` is aborted before the copy is made.
 */
export async function moveOrganization(
  deps: ProvisionDeps,
  id: string,
  datasourceName: string,
  signal?: AbortSignal,
): Promise<Moved> {
  const { directory } = deps;
  const datasource = await directory.datasourceNamed(datasourceName);
  const { id: organizationId } = await directory.requireOrganization(id);
  return directory.aloneWith(organizationId, async () => {
    const organization = await whereItLies(deps, organizationId);
    const done = { organizationId, datasourceId: datasource.id, rows: 0, waitedMs: 0 };
    const moved =
      organization.datasourceId === datasource.id ? done : await move(deps, organization, datasource, signal);
    await dropRetired(deps, organization, datasource);
    return moved;
  });
}

/** Where the organization lies; an earlier move may have ended before the directory followed. */
async function whereItLies({ directory }: ProvisionDeps, id: string): Promise<Organization> {
  directory.forget(id);
  const organization = await directory.requireOrganization(id);
  if (await hasSchema(await directory.databaseOf(organization), organization)) return organization;
  await directory.followMove(organization);
  return directory.requireOrganization(id);
}

async function move(
  deps: ProvisionDeps,
  organization: Organization,
  datasource: Datasource,
  signal: AbortSignal | undefined,
): Promise<Moved> {
  const { directory, clock } = deps;
  const { id } = organization;
  const source = await directory.databaseOf(organization);
  const target = await directory.databaseOf({ datasourceId: datasource.id });
  await directory.startMove(id, datasource.id);
  try {
    for (let attempt = 1; ; attempt++) {
      const copied = await copyOrganization(source, target, organization, signal);
      const waitedMs = await cutOver(source, target, organization, copied, clock.now());
      if (waitedMs !== undefined) {
        await directory.followMove(organization);
        return { organizationId: id, datasourceId: datasource.id, rows: copied.rows, waitedMs };
      }
      if (attempt === copies) throw errors.conflict('The workspace itself is being changed; try again later');
    }
  } catch (error) {
    // Only the source tells whether an interrupted cut-over was completed.
    if (!(await hasSchema(source, organization))) {
      await directory.followMove(organization);
      return { organizationId: id, datasourceId: datasource.id, rows: 0, waitedMs: 0 };
    }
    await retireCopy(target, organization);
    await directory.cancelMove(id);
    throw asRefusal(error);
  }
}

/** How long writers waited; undefined if the workspace has changed since the copy, which must be repeated. */
async function cutOver(
  source: Database,
  target: Database,
  organization: Organization,
  copied: Copied,
  now: number,
): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const started = performance.now();
    try {
      const isDone = await fence(source, target, organization, copied, now);
      return isDone ? Math.round(performance.now() - started) : undefined;
    } catch (error) {
      const busy = ['55P03', '40P01'].includes(sqlState(error) ?? '');
      if (!busy) throw error;
      if (attempt === lockAttempts) throw errors.conflict('Long writes keep the organization busy; try again later');
      await sleep(pauseMs * (0.5 + Math.random())); // requests behind the locks go first
    }
  }
}

async function fence(
  source: Database,
  target: Database,
  { id, schema }: Organization,
  copied: Copied,
  now: number,
): Promise<boolean> {
  const settings = identifier(schema, '_organization');
  const tables = copied.tables.map(({ name }) => identifier(schema, name));
  return source.transaction(id, async (from) => {
    await from.script(`set local lock_timeout = '${lockMs}ms'; set local statement_timeout = '${fenceMs}ms'`);
    // Waits for running transactions first, then for everybody; neither lock blocks reads.
    await from.run(statement(sql`select id from ${settings} for update`));
    await from.script(statement(sql`lock table ${join(tables, ', ')} in share mode`).text);
    if ((await versionsOf(from, schema)) !== copied.versions) return false;
    const epoch = sql`greatest(epoch + 1, ${String(now)}::bigint)`;
    await within(fenceMs, (late) =>
      target.transaction(id, async (tx) => {
        const to = hurried(tx, late);
        await mayBeIdle(to);
        await catchUp({ from, to, schema }, copied, { from: source.engine, to: target.engine });
        await continueHistory(to, schema);
        await to.run(statement(sql`update ${settings} set epoch = ${epoch}, moved = false`));
      }),
    );
    const retired = retiredName(schema);
    await from.script(`drop schema if exists "${retired}" cascade`);
    // Requests waiting for the row see another epoch; those waiting for a table find none.
    await from.run(statement(sql`update ${settings} set moved = true, epoch = ${epoch}`));
    await from.script(`alter schema "${schema}" rename to "${retired}"`);
    return true;
  });
}

/** A deadline for both clusters, so that one that hangs does not block the writers of the other. `late` rejects at the deadline. */
async function within<T>(limitMs: number, work: (late: Promise<never>) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new KithError('UNAVAILABLE', 'The other datasource takes too long; the organization stays where it is');
  const timer = setTimeout(() => reject(error), limitMs);
  late.catch(() => {});
  const result = work(late);
  result.catch(() => {});
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** The transaction with a deadline for reading from it: its connection could not roll back while a read hangs. */
function hurried(tx: Transaction, late: Promise<never>): Transaction {
  return {
    ...tx,
    copyIn: (text, feed) => tx.copyIn(text, (write) => feed((rows) => Promise.race([write(rows), late]))),
  };
}

/** Retires the copy, which may be up to date already. If the target does not answer, `kith doctor` finds the owner. */
async function retireCopy(target: Database, { id, schema }: Organization): Promise<void> {
  const retired = statement(sql`update ${identifier(schema, '_organization')} set moved = true`);
  await target.run(id, retired, fenceMs).catch(() => {});
}

async function hasSchema(database: Database, { id, schema }: Organization): Promise<boolean> {
  const query = sql`select from pg_namespace where nspname = ${schema}`;
  return (await database.run(id, statement(query))).count > 0;
}

/** Drops the retired original; readers that began before the move are awaited for a limited time. */
async function dropRetired(
  { directory }: ProvisionDeps,
  { id, schema }: Organization,
  { id: target }: Datasource,
): Promise<void> {
  for (const datasource of await directory.datasources()) {
    if (datasource.id === target) continue;
    // A datasource that is away keeps its left-overs until the command is repeated.
    await directory
      .databaseOf({ datasourceId: datasource.id })
      .then((database) =>
        database.transaction(id, async (tx) => {
          await tx.script(
            `set local lock_timeout = '${dropMs}ms'; drop schema if exists "${retiredName(schema)}" cascade`,
          );
        }),
      )
      .catch(() => {});
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof KithError) return error;
  const reason = messageOf(error);
  return new KithError('WRITE_FAILED', `The organization stays where it is: ${reason}`, { cause: error });
}
