/** Ctrl-C in the middle of what takes long: it ends soon, and leaves nothing half done. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { restore } from '../../src/transfer/restore.ts';
import { kithSecret, type TestKith, type TestOrganization } from '../support/kith.ts';
import { startOnTwoClusters, type TwoClusters } from '../transfer/two-clusters.ts';
import { start, type Outcome } from './kith.ts';

vi.setConfig({ testTimeout: 60_000 });

let clusters: TwoClusters;
let kith: TestKith;
let organization: TestOrganization;
let directory: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  clusters = await startOnTwoClusters();
  ({ kith } = clusters);
  organization = await kith.organization();
  directory = mkdtempSync(join(tmpdir(), 'kith-interrupted-'));
  env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_DATA_DIR: directory };
});
afterAll(async () => {
  await clusters?.stop();
  rmSync(directory, { recursive: true });
});

let before: readonly string[];
beforeEach(() => void (before = readdirSync(directory)));

/** Somebody holds a table that the command needs, and lets it go when the command has ended. */
async function interruptAtTable(...args: readonly string[]): Promise<Outcome> {
  const { database } = kith.database;
  return database.transaction(
    'test',
    async (tx) => {
      await tx.script(`lock table "${organization.schema}".companies in access exclusive mode`);
      const { process: child, outcome } = start(args, env);
      const waiting = sql`select from pg_locks where not granted`;
      await vi.waitUntil(async () => (await tx.run(statement(waiting))).count > 0, { timeout: 30_000 });
      child.kill('SIGINT');
      return await outcome;
    },
    Infinity,
  );
}

const interrupted = { code: 130, stdout: '', stderr: 'error: Interrupted\n' };

it('a backup leaves no file', async () => {
  expect(await interruptAtTable('backup', '--file', join(directory, 'all.kith'))).toMatchObject(interrupted);
  expect(readdirSync(directory)).toEqual(before);
});

it('a deletion after a backup deletes nothing', async () => {
  const args = ['org', 'delete', '--org', organization.id, '--confirm', 'Test', '--export', join(directory, 'x.kith')];
  expect(await interruptAtTable(...args)).toMatchObject(interrupted);
  expect(readdirSync(directory)).toEqual(before);
  expect((await organization.admin.get('/records/companies')).status).toBe(200);
});

it('a move leaves the organization where it is, ready to be moved again', async () => {
  const args = ['org', 'move', '--org', organization.id, '--datasource', 'second'];
  expect(await interruptAtTable(...args)).toMatchObject(interrupted);
  const place = (await kith.deps.directory.places()).find(({ id }) => id === organization.id);
  expect(place?.movingTo).toBeUndefined();
  expect((await organization.admin.post('/records/companies', { name: 'After' })).status).toBe(200);
});

it('a restore leaves no organization, and can be repeated', async () => {
  const path = join(directory, 'one.kith');
  await backUp(kith.deps, { path, organizationId: organization.id });
  const as = '01890a5d-ac96-774b-bcce-b302099a8057';
  const stop = new AbortController();
  const personByEmail = async () => {
    stop.abort();
    return as;
  };
  const addMember = async () => undefined;
  const deps = { ...kith.deps, directory: { ...kith.deps.directory, personByEmail, addMember } };
  await expect(restore(deps, { path, as, signal: stop.signal })).rejects.toThrow('aborted');
  expect((await kith.deps.directory.organizations()).map(({ id }) => id)).not.toContain(as);
  expect(await restore(kith.deps, { path, as })).toMatchObject([{ organizationId: as }]);
  rmSync(path);
});
