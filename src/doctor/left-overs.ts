/** Finds unfinished work. */
import type { Directory, Organization } from '../directory/directory.ts';
import { removeUnfinished, unfinishedOrganizations } from '../directory/unfinished.ts';
import type { Model } from '../model/model.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, join, sql, statement } from '../postgres/sql.ts';
import { trashMs } from '../records/writing/trash.ts';
import { repairing, type Problem } from './finding.ts';
import { soMany } from '../lib/so-many.ts';

/** Longer than creating an organization takes. */
const unfinishedMs = 3_600_000;
/** The service removes expired records within an hour; a day more allows for downtime. */
const graceMs = 86_400_000;

/** Organizations whose creation began long before `now` (milliseconds) and was abandoned. */
export async function unfinishedProblems(
  main: Database,
  directory: Directory,
  now: number,
): Promise<readonly Problem[]> {
  const unfinished = await unfinishedOrganizations(main, now - unfinishedMs);
  const problems: Problem[] = [];
  for (const organization of unfinished) {
    if (await directory.isBusy(organization.id)) continue; // a restore may take longer
    problems.push({
      text: `organization ${organization.id} (${organization.name}) was begun and never finished, or its deletion was broken off`,
      remedy: repairing,
      repair: () =>
        directory.aloneWith(organization.id, async () =>
          removeUnfinished(main, await directory.databaseOf(organization), organization),
        ),
    });
  }
  return problems;
}

/** Records that should have been purged from the trash by `now` (milliseconds). */
export async function trashProblems(
  database: Database,
  { id }: Organization,
  { schema, objects }: Model,
  now: number,
): Promise<readonly Problem[]> {
  const due = new Date(now - trashMs - graceMs).toISOString();
  const counts = [...objects.values()].map(
    ({ table }) => sql`(select count(*) from ${identifier(schema, table)} where deleted_at < ${due}::timestamptz)`,
  );
  if (counts.length === 0) return [];
  const { rows } = await database.run(id, statement(sql`select ${join(counts, ' + ')}`));
  const count = Number(rows[0]?.[0] ?? 0);
  if (count === 0) return [];
  return [
    {
      text: `${schema} has ${soMany(count, 'record that is', 'records that are')} due to leave the trash`,
      remedy: `kith trash purge --org ${id}`,
    },
  ];
}

/** Jobs that no service runs. */
export async function jobProblems(
  database: Database,
  { id }: Organization,
  { schema }: Model,
  now: number,
): Promise<readonly Problem[]> {
  const due = new Date(now - graceMs).toISOString();
  const { rows } = await database.run(
    id,
    statement(sql`select count(*) from ${identifier(schema, '_jobs')}
      where finished_at is null and coalesce(leased_until, run_at) < ${due}::timestamptz`),
  );
  const count = Number(rows[0]?.[0] ?? 0);
  if (count === 0) return [];
  return [
    {
      text: `${schema} has ${soMany(count, 'job that was', 'jobs that were')} to begin more than a day ago`,
      remedy: 'run a service with KITH_JOBS=on',
    },
  ];
}

/** Objects with pending search texts, which the service completes by itself. */
export async function pendingReindex(
  database: Database,
  { organizationId, schema, objects }: Model,
): Promise<string[]> {
  const { rows } = await database.run(
    organizationId,
    statement(sql`select object_id from ${identifier(schema, '_unsettled')}`),
  );
  const ids = new Set(rows.map(([id]) => id));
  return [...objects.values()].filter(({ id }) => ids.has(id)).map(({ name }) => `${schema}.${name}`);
}
