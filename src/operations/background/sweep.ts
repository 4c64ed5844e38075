/**
 * Deletes what has expired: records after thirty days in the trash, stored answers, sends of the day before, recordings
 * stopped a week ago, and long finished jobs and webhook deliveries. Each organization has a job for it, which runs when
 * something is due and at least daily.
 */
import { Type } from 'typebox';
import { ended } from '../../access/workspace.ts';
import { defineJob, type JobKind } from '../../jobs/job.ts';
import { forgetFinished } from '../../jobs/table.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';
import { newId } from '../../lib/id.ts';
import { loadModel } from '../../model/load.ts';
import type { OrganizationRef } from '../../model/definition.ts';
import type { Model } from '../../model/model.ts';
import type { Database } from '../../postgres/database.ts';
import { identifier, instant, join, sql, statement, type Sql } from '../../postgres/sql.ts';
import type { Author } from '../../records/writing/leave.ts';
import { failLostImports } from './import-job.ts';
import { forgetImports, rowsKeptMs } from '../../records/import/jobs/table.ts';
import { forgetStopped } from '../../records/conversations/transcripts.ts';
import { purgedAtOnce, purgeOldest } from '../../records/writing/purge.ts';
import { trashMs } from '../../records/writing/trash.ts';
import { forgetDeliveries } from '../../webhooks/deliveries.ts';
import { keptMs } from '../door/idempotency.ts';

export interface Swept {
  /** Deleted records. */
  readonly purged: number;
  /** Deleted answers. */
  readonly forgotten: number;
}

/** Stopping a recording again within this time gives the same answer. */
const transcriptsKeptMs = 7 * dayMs;

/** The job kind: sweeps an organization, and runs again when the next item is due, in an hour at the earliest and a day at the latest. */
export function sweeping(clock: Clock): JobKind {
  return defineJob({
    kind: 'sweep',
    input: Type.Null(),
    againMs: hourMs,
    async run({ database, organization }, signal) {
      await sweep(database, organization, clock.now(), signal);
      // Each transaction is a step of its own; a later sweep finds the rest.
      signal.throwIfAborted();
      await forgetFinished(database, organization, clock.now());
      await forgetDeliveries(database, organization, clock.now());
      await forgetSends(database, organization, clock.now());
      const old = forgetStopped(organization.schema, clock.now() - transcriptsKeptMs);
      await database.run(organization.id, statement(old));
      return nextSweep(database, organization, clock.now());
    },
  });
}

/** Sweeps once, until `signal` is aborted. Concurrent sweeps skip each other's rows. */
export async function sweep(
  database: Database,
  organization: OrganizationRef,
  now: number,
  signal: AbortSignal,
): Promise<Swept> {
  const forgotten = await forgetAnswers(database, organization, now);
  await database.run(organization.id, statement(failLostImports(organization.schema, now)));
  for (const query of forgetImports(organization.schema, now)) await database.run(organization.id, statement(query));
  return { purged: await purgeTrash(database, organization, now, signal), forgotten };
}

/** When to sweep next, spread over the day by organization. */
async function nextSweep(database: Database, organization: OrganizationRef, now: number): Promise<number> {
  const { id, schema } = organization;
  const tables = await tablesOfObjects(database, organization);
  const oldest = tables.map(
    (table) => sql`(select min(deleted_at) from ${identifier(schema, table)} where deleted_at is not null)`,
  );
  const trashed = tables.length === 0 ? sql`null::timestamptz` : sql`least(${join(oldest, ', ')})`;
  const [found] = await database.read(id, [
    statement(sql`select extract(epoch from ${trashed}) * 1000,
      (select extract(epoch from min(created_at)) * 1000 from ${identifier(schema, '_idempotency')}),
      (select extract(epoch from min(created_at)) * 1000 from ${identifier(schema, '_import_jobs')} where has_rows)`),
  ]);
  const [deleted, kept, imported] = (found?.rows[0] ?? []).map((cell) => (cell === null ? Infinity : Number(cell)));
  const due = Math.min(
    (deleted ?? Infinity) + trashMs,
    (kept ?? Infinity) + keptMs,
    (imported ?? Infinity) + rowsKeptMs,
    now + dayMs * (0.8 + Math.random() / 5),
  );
  return Math.max(due, now + hourMs);
}

async function forgetAnswers(database: Database, { id, schema }: OrganizationRef, now: number): Promise<number> {
  const { count } = await database.run(
    id,
    statement(sql`delete from ${identifier(schema, '_idempotency')} where created_at <= ${instant(now - keptMs)}`),
  );
  return count;
}

/** A day after sending, a repetition cannot come any more, and the confirmation has expired. */
async function forgetSends(database: Database, { id, schema }: OrganizationRef, now: number): Promise<void> {
  await database.run(
    id,
    statement(sql`delete from ${identifier(schema, '_sends')} where created_at <= ${instant(now - dayMs)}`),
  );
}

async function purgeTrash(
  database: Database,
  organization: OrganizationRef,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(now - trashMs);
  const tables = await tablesToPurge(database, organization, before);
  if (tables.length === 0) return 0;
  const model = await loadModel(database, organization);
  const author: Author = {
    model,
    actorId: null,
    tokenId: null,
    agent: null,
    means: 'job',
    changeSet: newId(now),
    operation: 'trash.sweep',
    request: null,
    happened: null,
  };
  let purged = 0;
  for (const table of tables) {
    for (let count = purgedAtOnce; count === purgedAtOnce && !signal.aborted; purged += count) {
      count = await purgeSome(database, author, table, before);
    }
  }
  return purged;
}

/** The tables with records to purge. Few organizations have any, and two reads tell. */
async function tablesToPurge(database: Database, organization: OrganizationRef, before: Date): Promise<string[]> {
  const tables = await tablesOfObjects(database, organization);
  if (tables.length === 0) return [];
  const asked = tables.map(
    (table) =>
      sql`exists (select from ${identifier(organization.schema, table)} where deleted_at < ${before.toISOString()}::timestamptz)`,
  );
  const [found] = await database.read(organization.id, [statement(sql`select ${join(asked, ', ')}`)]);
  return tables.filter((_, index) => found?.rows[0]?.[index] === 't');
}

/** The tables of all objects; none if the organization has moved away. */
async function tablesOfObjects(database: Database, { id, schema }: OrganizationRef): Promise<string[]> {
  const [objects] = await database.read(id, [
    statement(sql`select coalesce(o.definition ->> 'table', o.name) from ${identifier(schema, '_objects')} o, ${identifier(schema, '_organization')} g
      where not g.moved order by o.position`),
  ]);
  return (objects?.rows ?? []).map(([table]) => table ?? '');
}

/** Purges some records; none if the model has changed, as the next sweep uses the new one. */
async function purgeSome(database: Database, author: Author, table: string, before: Date): Promise<number> {
  const { model } = author;
  const object = [...model.objects.values()].find((candidate) => candidate.table === table);
  if (!object) return 0;
  return database.transaction(model.organizationId, async (tx) => {
    const held = await tx.run(statement(holds(model)));
    if (held.count === 0) return 0;
    return ended(tx, model.version, (inside) => purgeOldest(author, inside, object, before));
  });
}

/** Locks the model until the end of the transaction. */
function holds({ schema, version, epoch }: Model): Sql {
  return sql`select o.id from ${identifier(schema, '_organization')} o
    where o.model_version = ${version}::bigint and o.epoch = ${epoch}::bigint and not o.moved for key share`;
}
