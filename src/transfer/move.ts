/**
 * Moves an organization to another datasource while it is used. A copy is made of one moment; then writers wait while the
 * copy is brought up to date, and the original's schema is renamed: that decides, and the directory follows. Reads go on
 * until then. Ended at any point, a move can be started again.
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
  /** Copied at first; what changed meanwhile is not counted. Zero where it lay there already. */
  readonly rows: number;
  /** How long writers waited. */
  readonly waitedMs: number;
}

/** The longest that writers wait for one attempt; clients behind them wait no longer than two seconds for a connection. */
const fenceMs = 5_000;
/** Longer than the second after which PostgreSQL sends its own vacuum away. */
const lockMs = 1_500;
/** So many times the tables may be too busy to be locked. */
const lockAttempts = 10;
const pauseMs = 500;
const copies = 3;
const dropMs = 30_000;

/**
 * Throws NOT_FOUND, VALIDATION_ERROR for an unknown datasource, CONFLICT for one that is busy; the organization then is where it
 * was. So it is where `signal` is aborted before the copy is made.
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

/** An earlier move may have ended before the directory followed. */
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
    // Whether a cut-over that was broken off came to its end, the source alone knows.
    if (!(await hasSchema(source, organization))) {
      await directory.followMove(organization);
      return { organizationId: id, datasourceId: datasource.id, rows: 0, waitedMs: 0 };
    }
    await retireCopy(target, organization);
    await directory.cancelMove(id);
    throw asRefusal(error);
  }
}

/** How long writers waited; undefined when the workspace was changed since it was copied, so that it has to be copied anew. */
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
      await sleep(pauseMs * (0.5 + Math.random())); // those who waited behind the locks go first
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
    // First those out who are in the middle of a transaction, then everybody; reads pass both.
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
    // Whoever waits for the row sees another epoch; whoever waits for a table finds no such table.
    await from.run(statement(sql`update ${settings} set moved = true, epoch = ${epoch}`));
    await from.script(`alter schema "${schema}" rename to "${retired}"`);
    return true;
  });
}

/** A cluster that hangs must not hold up the writers of the other one. `late` rejects when the time is over. */
async function within<T>(limitMs: number, work: (late: Promise<never>) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new KithError('UNAVAILABLE', 'The other datasource takes too long; the organization stays where it is');
  const timer = setTimeout(() => reject(error), limitMs);
  late.catch(() => {});
  const result = work(late);
  result.catch(() => {});
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** What is read from the original to be written here does not wait for ever: its connection could not roll back meanwhile. */
function hurried(tx: Transaction, late: Promise<never>): Transaction {
  return {
    ...tx,
    copyIn: (text, feed) => tx.copyIn(text, (write) => feed((rows) => Promise.race([write(rows), late]))),
  };
}

/** The copy may be brought up to date already. Where the target is away or held up, `kith doctor` asks whose it is. */
async function retireCopy(target: Database, { id, schema }: Organization): Promise<void> {
  const retired = statement(sql`update ${identifier(schema, '_organization')} set moved = true`);
  await target.run(id, retired, fenceMs).catch(() => {});
}

async function hasSchema(database: Database, { id, schema }: Organization): Promise<boolean> {
  const query = sql`select from pg_namespace where nspname = ${schema}`;
  return (await database.run(id, statement(query))).count > 0;
}

/** Readers that began before the move may still be at it: those are waited for, not for ever. */
async function dropRetired(
  { directory }: ProvisionDeps,
  { id, schema }: Organization,
  { id: target }: Datasource,
): Promise<void> {
  for (const datasource of await directory.datasources()) {
    if (datasource.id === target) continue;
    // A datasource that is away keeps its leftovers until the command is repeated.
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
