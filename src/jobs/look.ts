/** Checks an organization's jobs: claims those that are due, and returns when to check next. */
import type { Directory, Organization } from '../directory/directory.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/durations.ts';
import type { Database } from '../postgres/database.ts';
import { sqlState } from '../postgres/failure.ts';
import { sql, statement } from '../postgres/sql.ts';
import type { JobKind } from './job.ts';
import { claimJobs, insertJob, outlook, standingKey, standingKinds, type Claimed } from './table.ts';

export interface LookParts {
  readonly directory: Pick<Directory, 'organization' | 'databaseOf' | 'forget' | 'followMove'>;
  readonly clock: Clock;
  readonly kinds: readonly JobKind[];
}

/** A claimed job and its kind. */
export interface Found {
  readonly database: Database;
  readonly organization: Organization;
  readonly kind: JobKind;
  readonly held: Claimed;
}

/** Pause where the due jobs are of unknown kinds. */
const unknownMs = 60_000;
const unmigratedMs = 600_000;
const noSuchTable = '42P01';
/** Pause without any job; every organization has one where `standing` jobs exist. */
const idleMs = dayMs;

/** Hands up to `room` jobs to `begin`; returns when to check again, in milliseconds. */
export async function look(parts: LookParts, id: string, room: number, begin: (found: Found) => void): Promise<number> {
  const { directory, clock, kinds } = parts;
  const organization = await directory.organization(id);
  if (!organization) return clock.now() + idleMs;
  const database = await directory.databaseOf(organization);
  try {
    const names = kinds.map(({ kind }) => kind);
    const claimed = await claimJobs(database, organization, names, room, clock.now());
    for (const held of claimed) {
      const kind = kinds.find((each) => each.kind === held.kind);
      if (kind) begin({ database, organization, kind, held });
    }
    const { next, missing } = await outlook(database, organization, standingKinds(kinds));
    for (const kind of missing) {
      const wanted = { kind, key: standingKey, input: null };
      await database.run(id, statement(insertJob(organization, wanted, clock.now())));
    }
    if (missing.length > 0) return clock.now();
    if (next === undefined) return clock.now() + idleMs;
    return claimed.length === 0 && next <= clock.now() ? clock.now() + unknownMs : next;
  } catch (error) {
    const isHere = await follow(parts, database, organization);
    // The schema is not migrated yet, which the start of a service has reported.
    if (isHere && sqlState(error) === noSuchTable) return clock.now() + unmigratedMs;
    throw error;
  }
}

/** A missing schema lies elsewhere, and the directory may not know yet. Returns whether it is here. */
async function follow({ directory }: LookParts, database: Database, organization: Organization): Promise<boolean> {
  const { id, schema, datasourceId } = organization;
  const query = sql`select from pg_namespace where nspname = ${schema}`;
  if ((await database.run(id, statement(query))).count > 0) return true;
  directory.forget(id);
  const known = await directory.organization(id);
  if (known?.datasourceId === datasourceId) await directory.followMove(known);
  return false;
}
