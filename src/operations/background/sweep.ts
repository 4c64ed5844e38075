/**
 * What time ends: records that have been in the trash for thirty days, and answers that were kept for a repetition.
 * Processes may sweep at once: each leaves what another one is at work on.
 */
import { transactionOf } from '../../access/workspace.ts';
import type { Directory, Organization } from '../../directory/directory.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/id.ts';
import type { Log } from '../../lib/log.ts';
import { loadModel } from '../../model/load.ts';
import type { Model } from '../../model/model.ts';
import type { Database } from '../../postgres/database.ts';
import { identifier, join, sql, statement, type Sql } from '../../postgres/sql.ts';
import type { Author } from '../../records/writing/leave.ts';
import { purgedAtOnce, purgeOldest } from '../../records/writing/purge.ts';
import { trashMs } from '../../records/writing/trash.ts';
import { keptMs } from '../door/idempotency.ts';
import { repeat } from './repeat.ts';

interface Parts {
  readonly directory: Pick<Directory, 'organizations' | 'databaseOf'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export interface Swept {
  /** Records. */
  readonly purged: number;
  /** Kept answers. */
  readonly forgotten: number;
}

const rhythm = {
  firstMs: 60_000,
  everyMs: 3_600_000,
  failed: 'The sweep failed; the next one tries again',
};

/** Sweeps every organization, one after the other, until `signal` is aborted. One that fails is logged, and the others follow. */
export async function sweep({ directory, clock, log }: Parts, signal: AbortSignal): Promise<Swept> {
  const total = { purged: 0, forgotten: 0 };
  for (const organization of await directory.organizations()) {
    if (signal.aborted) break;
    try {
      const database = await directory.databaseOf(organization);
      total.forgotten += await forgetAnswers(database, organization, clock.now());
      total.purged += await purgeTrash(database, organization, clock.now(), signal);
    } catch (error) {
      log.warn(
        { organization: organization.id, error },
        'An organization could not be swept; the next sweep tries again',
      );
    }
  }
  return total;
}

/** Sweeps soon and then every hour. Returned is what ends it, once the transaction at hand is over. */
export function keepSweeping(parts: Parts): () => Promise<void> {
  return repeat((signal) => sweep(parts, signal), rhythm, parts.log);
}

async function forgetAnswers(database: Database, { id, schema }: Organization, now: number): Promise<number> {
  const { count } = await database.run(
    id,
    statement(sql`delete from ${identifier(schema, '_idempotency')} where created_at <= ${timeAt(now - keptMs)}`),
  );
  return count;
}

async function purgeTrash(
  database: Database,
  organization: Organization,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(now - trashMs);
  const names = await objectsToPurge(database, organization, before);
  if (names.length === 0) return 0;
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
  };
  let purged = 0;
  for (const name of names) {
    for (let count = purgedAtOnce; count === purgedAtOnce && !signal.aborted; purged += count) {
      count = await purgeSome(database, author, name, before);
    }
  }
  return purged;
}

/** Few organizations have anything to purge: finding that out takes two reads. */
async function objectsToPurge(database: Database, { id, schema }: Organization, before: Date): Promise<string[]> {
  const [objects] = await database.read(id, [
    statement(sql`select o.name from ${identifier(schema, '_objects')} o, ${identifier(schema, '_organization')} g
      where not g.moved order by o.position`),
  ]);
  const names = (objects?.rows ?? []).map(([name]) => name ?? '');
  if (names.length === 0) return [];
  const asked = names.map(
    (name) =>
      sql`exists (select from ${identifier(schema, name)} where deleted_at < ${before.toISOString()}::timestamptz)`,
  );
  const [found] = await database.read(id, [statement(sql`select ${join(asked, ', ')}`)]);
  return names.filter((_, index) => found?.rows[0]?.[index] === 't');
}

/** Nothing when the model has changed meanwhile: the next sweep works on the new one. */
async function purgeSome(database: Database, author: Author, name: string, before: Date): Promise<number> {
  const { model } = author;
  const object = model.objects.get(name);
  if (!object) return 0;
  return database.transaction(model.organizationId, async (tx) => {
    const held = await tx.run(statement(holds(model)));
    if (held.count === 0) return 0;
    return purgeOldest(author, transactionOf(tx, model.version), object, before);
  });
}

/** Keeps the model as it is until the end of the transaction. */
function holds({ schema, version, epoch }: Model): Sql {
  return sql`select o.id from ${identifier(schema, '_organization')} o
    where o.model_version = ${version}::bigint and o.epoch = ${epoch}::bigint and not o.moved for key share`;
}

function timeAt(millis: number): Sql {
  return sql`${new Date(millis).toISOString()}::timestamptz`;
}
