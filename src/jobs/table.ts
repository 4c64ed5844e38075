/** The jobs of one organization as rows of its schema: the source of truth for what is to be done. */
import { furthestMs } from '../directory/due.ts';
import { dayMs } from '../lib/durations.ts';
import type { OrganizationRef } from '../model/definition.ts';
import { newId } from '../lib/id.ts';
import { parseJson, type Json } from '../lib/json.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { identifier, instant, sql, statement, type Sql } from '../postgres/sql.ts';
import type { InNameOf, JobKind, WantedJob } from './job.ts';

/** A job claimed by this worker. */
export interface Claimed {
  readonly id: string;
  /** Unique to this claim: every write of the job checks it. */
  readonly holder: string;
  readonly kind: string;
  readonly input: Json;
  readonly progress: Json;
  readonly inNameOf: InNameOf | null;
  /** Attempts since the last progress, this one included. */
  readonly attempts: number;
}

/** Lease duration. */
export const leaseMs = 30_000;

/** How long finished jobs are kept; failed ones longer. */
const doneKeptMs = dayMs;
const failedKeptMs = 30 * dayMs;
/** Finished jobs removed per statement. */
const forgottenAtOnce = 1_000;

/** Requests a job, in the transaction of the change that needs it. */
export function insertJob({ schema }: Pick<OrganizationRef, 'schema'>, wanted: WantedJob, now: number): Sql {
  const { id = newId(now), kind, key = null, input, runAt = now, inNameOf } = wanted;
  return sql`insert into ${tableIn(schema)} as j
    (id, kind, key, payload, workspace_user_id, token_id, state, run_at, attempts, created_at)
    values (${id}::uuid, ${kind}, ${key}, ${JSON.stringify(input)}::jsonb, ${inNameOf?.workspaceUserId ?? null}::uuid,
      ${inNameOf?.tokenId ?? null}::uuid, 'waiting', ${instant(runAt)}, 0, ${instant(now)})
    on conflict (kind, key) where finished_at is null do update set
      run_at = case when j.state = 'waiting' then least(j.run_at, excluded.run_at) else j.run_at end,
      again_at = case when j.state = 'running' then least(j.again_at, excluded.run_at) end`;
}

/**
 * Makes the unfinished jobs of that kind run by `now`, or once more where they are running. True where one of them
 * waits to start; undefined without any.
 */
export async function hastenJobs(
  database: Database,
  { id, schema }: OrganizationRef,
  kind: string,
  now: number,
): Promise<boolean | undefined> {
  const { rows } = await database.run(
    id,
    statement(sql`update ${tableIn(schema)} set
        run_at = case when state = 'waiting' then least(run_at, ${instant(now)}) else run_at end,
        again_at = case when state = 'running' then least(again_at, ${instant(now)}) end
      where kind = ${kind} and finished_at is null returning state`),
  );
  return rows.length === 0 ? undefined : rows.some(([state]) => state === 'waiting');
}

/**
 * Selects state, input, progress, error, and the times of request and finish of a job of that kind; with `asker`,
 * only of a job in that user's name.
 */
export function selectJob(schema: string, id: string, kind: string, asker: string | null): Sql {
  return sql`select j.state, j.payload::text, j.progress::text, j.error, extract(epoch from j.created_at), extract(epoch from j.finished_at)
    from ${tableIn(schema)} j where j.id = ${id}::uuid and j.kind = ${kind}
      and j.workspace_user_id = coalesce(${asker}::uuid, j.workspace_user_id)`;
}

/**
 * Ends an unfinished job of that kind, whoever holds it: its worker's uncommitted work is rolled back. Its progress, or
 * `nothing` where it had none, is marked as cancelled. Returns a row if the job existed.
 */
export function endJob(schema: string, id: string, kind: string, nothing: Json, now: number): Sql {
  return sql`update ${tableIn(schema)} set state = 'done', finished_at = ${instant(now)}, holder = null, leased_until = null,
      again_at = null, progress = coalesce(progress, ${JSON.stringify(nothing)}::jsonb) || '{"isCancelled":true}'
    where id = ${id}::uuid and kind = ${kind} and finished_at is null returning id`;
}

/** For the job with id `id`: whether it exists and has not ended, its error, and when it ended. */
export function jobNamedBy(
  schema: string,
  id: Sql,
): { readonly isUnfinished: Sql; readonly error: Sql; readonly finishedAt: Sql } {
  const job = sql`from ${tableIn(schema)} j where j.id = ${id}`;
  return {
    isUnfinished: sql`exists (select ${job} and j.finished_at is null)`,
    error: sql`(select j.error ${job})`,
    finishedAt: sql`(select j.finished_at ${job})`,
  };
}

/**
 * Claims up to `most` jobs that are due, whose lease has expired, or that a wrong clock has planned; skips those that
 * another worker is claiming.
 */
export async function claimJobs(
  database: Database,
  organization: OrganizationRef,
  kinds: readonly string[],
  most: number,
  now: number,
): Promise<readonly Claimed[]> {
  const { id, schema } = organization;
  const holder = newId(now);
  // `array(…)` makes PostgreSQL run the subquery once.
  const time = sql`coalesce(leased_until, run_at)`;
  const due = sql`select id from ${tableIn(schema)} where finished_at is null and kind = any(${kinds}::text[])
    and (${time} <= ${instant(now)} or ${time} > ${instant(now + furthestMs)})
    order by ${time}, id limit ${most}::integer for update skip locked`;
  const { rows } = await database.run(
    id,
    statement(sql`update ${tableIn(schema)} set state = 'running', holder = ${holder}::uuid, attempts = attempts + 1,
        leased_until = ${instant(now + leaseMs)}
      where id = any(array(${due})) and exists (select from ${identifier(schema, '_organization')} where not moved)
      returning id, kind, payload::text, progress::text, workspace_user_id, token_id, attempts`),
  );
  return rows.map(([jobId, kind, payload, progress, workspaceUserId, tokenId, attempts]) => ({
    id: jobId ?? '',
    holder,
    kind: kind ?? '',
    input: parseJson(payload ?? 'null'),
    progress: parseJson(progress ?? 'null'),
    inNameOf: typeof workspaceUserId === 'string' ? { workspaceUserId, tokenId: tokenId ?? null } : null,
    attempts: Number(attempts),
  }));
}

/** When the next job is due, in milliseconds, undefined where none is left; and which `standing` jobs are missing. */
export async function outlook(
  database: Database,
  { id, schema }: OrganizationRef,
  standing: readonly string[],
): Promise<{ readonly next: number | undefined; readonly missing: readonly string[] }> {
  const table = tableIn(schema);
  const { rows } = await database.run(
    id,
    statement(sql`select
      (select extract(epoch from min(coalesce(leased_until, run_at))) * 1000 from ${table} where finished_at is null),
      (select string_agg(kind, ' ') from ${table}
        where kind = any(${standing}::text[]) and key = ${standingKey} and finished_at is null)`),
  );
  const [next, present] = rows[0] ?? [];
  const there = new Set((present ?? '').split(' '));
  return {
    next: next === null || next === undefined ? undefined : Number(next),
    missing: standing.filter((kind) => !there.has(kind)),
  };
}

/** The key of a kind's standing job, of which every organization has one. */
export const standingKey = 'standing';

/** Stores `progress` while the job is held; false where it is lost. Progress resets the attempts. */
export async function saveProgress(at: Queryable, schema: string, held: Claimed, progress: Json, now: number) {
  return written(
    at,
    sql`update ${tableIn(schema)} set progress = ${JSON.stringify(progress)}::jsonb, attempts = 1,
      leased_until = ${instant(now + leaseMs)} where ${isHeld(held)}`,
  );
}

/** Renews the lease from `now` (milliseconds); false where another worker has the job. */
export async function extendLease(at: Queryable, schema: string, held: Claimed, now: number): Promise<boolean> {
  return written(at, sql`update ${tableIn(schema)} set leased_until = ${instant(now + leaseMs)} where ${isHeld(held)}`);
}

/** How a worker ends its attempt. */
export type Ending =
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly error: string }
  /** Runs again, without progress. */
  | { readonly state: 'again'; readonly at: number; readonly error?: string }
  /** Runs again, from its progress. */
  | { readonly state: 'retried'; readonly at: number; readonly error: string }
  | { readonly state: 'handed back' };

/** When the job must start again, in milliseconds, or `over`; undefined where the job was no longer held. */
export async function leaveJob(
  at: Queryable,
  schema: string,
  held: Claimed,
  ending: Ending,
  now: number,
): Promise<number | 'over' | undefined> {
  const changes = sql`holder = null, leased_until = null, ${changesOf(ending, now)}`;
  const { rows } = await at.run(
    statement(sql`update ${tableIn(schema)} set ${changes} where ${isHeld(held)}
      returning finished_at, run_at`),
  );
  const [row] = rows;
  if (!row) return undefined;
  const [finishedAt, runAt] = row;
  return finishedAt === null && typeof runAt === 'string' ? millisOf(runAt) : 'over';
}

/** Parses `2026-01-02 03:04:05.6+00`: Citus allows no time functions in `returning`. */
function millisOf(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}:00`);
}

function changesOf(ending: Ending, now: number): Sql {
  const anew = sql`again_at = null, attempts = 0, progress = null`;
  switch (ending.state) {
    case 'handed back':
      return sql`state = 'waiting', run_at = ${instant(now)}, attempts = attempts - 1`;
    case 'retried':
      return sql`state = 'waiting', run_at = ${instant(ending.at)}, error = ${ending.error}`;
    case 'again':
      return sql`state = 'waiting', run_at = least(${instant(ending.at)}, again_at), error = ${ending.error ?? null}, ${anew}`;
    default: {
      const error = ending.state === 'failed' ? ending.error : null;
      // A request made while it ran makes it wait again.
      const over = (over: Sql, again: Sql) => sql`case when again_at is null then ${over} else ${again} end`;
      return sql`state = ${over(sql`${ending.state}`, sql`'waiting'`)}, error = ${error},
        finished_at = ${over(instant(now), sql`null`)}, run_at = ${over(sql`run_at`, sql`again_at`)},
        attempts = ${over(sql`attempts`, sql`0`)}, progress = ${over(sql`progress`, sql`null`)}, again_at = null`;
    }
  }
}

/** Deletes jobs that finished long ago; returns their number. */
export async function forgetFinished(database: Database, { id, schema }: OrganizationRef, now: number) {
  const old = sql`select id from ${tableIn(schema)} where finished_at <= ${instant(now - doneKeptMs)}
    and (state = 'done' or finished_at <= ${instant(now - failedKeptMs)}) limit ${forgottenAtOnce}::integer`;
  let removed = 0;
  for (let count = forgottenAtOnce; count === forgottenAtOnce; removed += count) {
    ({ count } = await database.run(id, statement(sql`delete from ${tableIn(schema)} where id in (${old})`)));
  }
  return removed;
}

/** The kinds of which every organization has a standing job. */
export function standingKinds(kinds: readonly JobKind[]): readonly string[] {
  return kinds.filter(({ againMs }) => againMs !== undefined).map(({ kind }) => kind);
}

async function written(at: Queryable, query: Sql): Promise<boolean> {
  return (await at.run(statement(query))).count > 0;
}

function isHeld({ id, holder }: Claimed): Sql {
  return sql`id = ${id}::uuid and holder = ${holder}::uuid`;
}

function tableIn(schema: string): Sql {
  return identifier(schema, '_jobs');
}
