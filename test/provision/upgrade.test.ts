/** Databases of earlier releases, as they were dumped then, become what this program would have made. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../../src/app.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { examine, type Patient } from '../../src/doctor/doctor.ts';
import { checkOf } from '../../src/doctor/finding.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { migrationStatus } from '../../src/provision/migration-status.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';

const releases = readdirSync(new URL('releases/', import.meta.url));

describe.each(releases)('the database of %s', (file) => {
  let database: TestDatabase;
  let patient: Patient;
  let service: Service | undefined;

  beforeAll(async () => {
    database = await testDatabase();
    const dump = readFileSync(new URL(`releases/${file}`, import.meta.url), 'utf8');
    await database.database.transaction('test', (tx) => tx.script(dump));
    const main = database.database;
    const keyring = createKeyring(testSecret, []);
    const connect = () => Promise.reject(new Error('There is no second cluster'));
    const directory = createDirectory({ main, keyring, connect, clock: systemClock });
    patient = {
      main,
      directory,
      keyring,
      clock: systemClock,
      secret: { dataDir: '', isConfigured: true },
      isEmbedded: false,
    };
  });
  afterAll(async () => {
    await service?.stop();
    await database.drop();
  });

  it('is behind at first, and looking at it changes nothing', async () => {
    const status = await migrationStatus(patient.main, patient.directory);
    expect(status.map(({ version, state }) => [version, state])).toEqual([
      [1, 'behind'],
      [1, 'behind'],
    ]);
    expect(await migrationStatus(patient.main, patient.directory)).toEqual(status);
  });

  it('is served by this program with all that was in it', async () => {
    const env = { PORT: '0', DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'error' };
    service = await startService(readConfig({ ...env, KITH_WORKERS: '1' }).config, [], () => {});
    const organization = (await patient.directory.organizations())[0];
    const deps = { ...patient, tokens: createTokens(patient.keyring, systemClock, patient.directory.installationId) };
    const { token } = await createToken(deps, organization?.id ?? '', { email: 'ada@acme.test', name: 'upgrade' });
    const get = async (path: string) => {
      const response = await fetch(`${service?.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()) as { data: Record<string, unknown>[]; pagination: unknown };
    };
    const names = async (path: string, key: string) =>
      (await get(path)).data.map((record) => String(record[key])).toSorted();
    expect(await names('records/companies', 'name')).toEqual(['Globex', 'Initech']);
    expect(await names('trash/companies', 'display')).toEqual(['Gone']);
    expect(await names('records/contacts', 'full_name')).toEqual(['Bob Ray', 'Éva Ångström']);
    expect((await get('records/opportunities')).data).toMatchObject([
      { name: 'Big deal', amount: { amount: 5000, currency: 'EUR' }, contacts: [{ display: 'Bob Ray' }] },
    ]);
    expect(await names('records/projects', 'name')).toEqual([]);
  });

  it('is then in every column, index and constraint what a new one is', async () => {
    const latest = { control: latestVersion(allMigrations.control), own: latestVersion(allMigrations.organization) };
    const status = await migrationStatus(patient.main, patient.directory);
    expect(status.map(({ version, state }) => [version, state])).toEqual([
      [latest.control, 'up to date'],
      [latest.own, 'up to date'],
    ]);
    expect((await examine(patient)).map(checkOf).filter(({ ok }) => !ok)).toEqual([]);
  });
});
