/** An organization's jobs go with it: through a backup, a move, a migration. Its wake-ups are made anew where it arrives. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { deleteOrganization } from '../../src/provision/delete-organization.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { restore } from '../../src/transfer/restore.ts';
import { schemaName } from '../../src/model/names.ts';
import { rowsOf, withoutGround } from '../provision/setup.ts';
import type { TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';
import { startOnTwoClusters, type TwoClusters } from '../transfer/two-clusters.ts';
import { allSteps, createSteps, jobsOf, stepping, stepsOf, type At } from './steps.ts';

let clusters: TwoClusters;
let stop = async () => {};
const directory = mkdtempSync(join(tmpdir(), 'kith-jobs-'));

beforeAll(async () => {
  clusters = await startOnTwoClusters();
});
afterEach(() => stop());
afterAll(async () => {
  await clusters.stop();
  rmSync(directory, { recursive: true });
});

const main = () => clusters.kith.database.database;
const second = () => clusters.second.database;
const jobsWith = (at: At) =>
  createJobs({ directory: clusters.kith.deps.directory, clock: systemClock, log: silentLog, kinds: [stepping(at)] });
const pass: At = async () => {};

async function askFor({ id, schema }: TestOrganization, name: string): Promise<void> {
  await jobsWith(pass).asking({ id, schema }, (ask) =>
    main().transaction(id, (tx) => ask(tx, { kind: 'test.steps', input: { name } })),
  );
}

function carryOut(at: At = pass): void {
  stop = jobsWith(at).start();
}

const until = (database: ReturnType<typeof main>, schema: string, state: string) =>
  expect
    .poll(async () => (await jobsOf(database, schema, 'test.steps')).map((job) => job.state), {
      timeout: 10_000,
      interval: 20,
    })
    .toEqual([state]);

describe('a backup', () => {
  it.each(['the same id', 'another id'])('carries jobs, which begin where it is restored under %s', async (which) => {
    const { deps } = clusters.kith;
    const organization = await clusters.kith.organization();
    await askFor(organization, 'restored');
    const path = join(directory, `${which}.kith`);
    await backUp(deps, { path, organizationId: organization.id });
    await deleteOrganization(deps, organization.id, 'Test');
    const gone = sql`select from kith.due where organization_id = ${organization.id}::uuid`;
    expect(await rowsOf(main(), gone)).toEqual([]);
    const [restored] = await restore(deps, { path, ...(which === 'another id' && { as: 'new' }) });
    const schema = schemaName(restored?.organizationId ?? '');
    await createSteps(main(), schema);
    carryOut();
    await until(main(), schema, 'done');
    expect(await stepsOf(main(), schema, 'restored')).toEqual(allSteps);
  });
});

it('a job whose organization moves in the middle of it goes on where that arrives', async () => {
  const { deps } = clusters.kith;
  const organization = await clusters.kith.organization();
  const { id, schema } = organization;
  await askFor(organization, 'moved');
  const [begun, on] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await createSteps(main(), schema);
  carryOut(async (place) => {
    if (place !== 'begun') return;
    begun.resolve();
    await on.promise;
  });
  await begun.promise;
  await rowsOf(main(), sql`drop table ${identifier(schema, 'steps')}`); // it is none of the organization's own
  await moveOrganization(deps, id, 'second');
  on.resolve();
  await stop();
  await createSteps(second(), schema);
  // As when its lease is over.
  await rowsOf(second(), sql`update ${identifier(schema, '_jobs')} set leased_until = now() where state = 'running'`);
  await deps.directory.wake(id, systemClock.now());
  carryOut();
  await until(second(), schema, 'done');
  expect(await stepsOf(second(), schema, 'moved')).toEqual(allSteps);
});

it('an organization of an earlier release gets its jobs with the migration', async () => {
  const { deps } = clusters.kith;
  const organization = await clusters.kith.organization();
  const { id, schema } = organization;
  await withoutGround(main(), schema);
  await rowsOf(main(), sql`update ${identifier(schema, '_organization')} set schema_version = 3`);
  await rowsOf(
    main(),
    sql`drop table kith.due, kith.memberships, kith.sign_in_links, kith.sessions, kith.mails, kith.oauth_entries, kith.hooks`,
  );
  await rowsOf(main(), sql`alter table kith.organizations drop column members_entered`);
  await rowsOf(main(), sql`delete from kith.migrations where version >= 4`);
  await deps.directory.setSchemaVersion(id, 3);
  const { failed } = await migrate({ main: main(), directory: deps.directory, clock: systemClock });
  expect([failed, latestVersion(allMigrations.control)]).toEqual([[], 7]);
  await createSteps(main(), schema);
  const waiting = sql`select run_at <= now() from kith.due where organization_id = ${id}::uuid`;
  expect(await rowsOf(main(), waiting)).toEqual([['t']]);
  await askFor(organization, 'migrated');
  carryOut();
  await until(main(), schema, 'done');
});
