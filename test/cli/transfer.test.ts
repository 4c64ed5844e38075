/** kith org move, kith backup and kith restore as an operator types them, beside a service. What they do to data: test/transfer. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { kithSecret, type TestKith, type TestOrganization } from '../support/kith.ts';
import { startOnTwoClusters, type TwoClusters } from '../transfer/two-clusters.ts';
import { kith as command, kithJson } from './in-process.ts';

// Each test starts processes.
vi.setConfig({ testTimeout: 120_000 });

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

let clusters: TwoClusters;
let kith: TestKith;
let organization: TestOrganization;
let directory: string;
let env: NodeJS.ProcessEnv;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  clusters = await startOnTwoClusters();
  ({ kith } = clusters);
  organization = await kith.organization();
  directory = mkdtempSync(join(tmpdir(), 'kith-transfer-'));
  env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_DATA_DIR: directory };
});
afterAll(async () => {
  await clusters?.stop();
  rmSync(directory, { recursive: true });
});

async function placeOf(id: string): Promise<string | undefined> {
  const { directory: known } = kith.deps;
  known.forget(id);
  const { datasourceId } = await known.requireOrganization(id);
  return (await known.datasources()).find((datasource) => datasource.id === datasourceId)?.name;
}

/** Exit code and error code; nothing but code and message is printed. */
async function refused(...args: readonly string[]) {
  const { code, json } = await kithJson(args, env);
  expect(json).toEqual({ code: expect.any(String), message: expect.stringMatching(/./) });
  return [code, json['code']];
}

describe('kith org move', () => {
  it('says where the organization is now, how much went over, and how long writers waited', async () => {
    const args = ['org', 'move', '--org', organization.id, '--datasource', 'second'];
    const { code, json } = await kithJson(args, env);
    expect(code, JSON.stringify(json)).toBe(0);
    expect(json).toEqual({
      organizationId: organization.id,
      datasourceId: expect.any(String),
      rows: expect.any(Number),
      waitedMs: expect.any(Number),
    });
    expect(json['rows']).toBeGreaterThan(0);
    expect(await placeOf(organization.id)).toBe('second');
    expect((await organization.admin.post('/records/contacts', { first_name: 'After' })).status).toBe(200);
  });

  it('is refused for a datasource that is not there, and leaves the organization where it is', async () => {
    const before = await placeOf(organization.id);
    const args = ['org', 'move', '--org', organization.id, '--datasource', 'nowhere'];
    expect(await refused(...args)).toEqual([2, 'VALIDATION_ERROR']);
    expect(await placeOf(organization.id)).toBe(before);
  });
});

describe('kith backup and kith restore', () => {
  let backup: Awaited<ReturnType<typeof kithJson>>;
  let secret: readonly string[];
  beforeAll(async () => {
    writeFileSync(file('secret.txt'), 'correct horse battery\n');
    secret = ['--passphrase-file', file('secret.txt')];
    backup = await kithJson(['backup', '--org', organization.id, '--file', file('one.kith'), ...secret], env);
  });

  it('write one file, and tell what it holds', async () => {
    const { code, json } = backup;
    expect(code, JSON.stringify(json)).toBe(0);
    expect(json).toEqual({
      file: file('one.kith'),
      madeAt: expect.stringMatching(/Z$/),
      bytes: readFileSync(file('one.kith')).length,
      organizations: [
        {
          id: organization.id,
          name: 'Test',
          datasource: expect.any(String),
          rows: expect.any(Number),
          checksum: expect.any(String),
          secretsKept: true,
        },
      ],
    });
    // Needs no database.
    const away = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const verify = ['backup', '--verify', file('one.kith')];
    expect(await kithJson([...verify, ...secret], away)).toMatchObject({ code: 0, json });
    const without = { code: 'VALIDATION_ERROR', message: expect.stringContaining('--passphrase-file') };
    expect(await kithJson(verify, away)).toMatchObject({ code: 2, json: without });
  });

  it('prove a file by the root secret where there is no passphrase', async () => {
    const path = file('plain.kith');
    expect((await kithJson(['backup', '--org', organization.id, '--file', path], env)).code).toBe(0);
    expect((await kithJson(['backup', '--verify', path], env)).code).toBe(0);
    const elsewhere = { ...env, KITH_SECRET_KEY: 'x'.repeat(32) };
    const told = { code: 'VALIDATION_ERROR', message: expect.stringContaining('KITH_SECRET_KEYS_OLD') };
    for (const args of [
      ['backup', '--verify', path],
      ['restore', '--file', path, '--new-id'],
    ])
      expect(await kithJson(args, elsewhere)).toMatchObject({ code: 2, json: told });
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(await refused('backup', '--verify', path)).toEqual([2, 'VALIDATION_ERROR']);
    expect(await refused('restore', '--file', path, '--new-id')).toEqual([2, 'VALIDATION_ERROR']);
    expect(await refused('backup', '--file', path)).toEqual([5, 'CONFLICT']);
  });

  it('bring the organization back under a new id, equal by its checksum', async () => {
    const args = ['restore', '--file', file('one.kith'), '--new-id', '--datasource', 'main', ...secret];
    const { code, json, stderr } = await kithJson(args, env);
    expect(code, JSON.stringify(json)).toBe(0);
    expect(stderr).toContain('kith token create');
    const [{ rows, checksum }] = backup.json['organizations'] as [{ rows: number; checksum: string }];
    const [{ organizationId }] = json['organizations'] as [{ organizationId: string }];
    expect(json).toEqual({
      organizations: [{ organizationId, name: 'Test', datasource: 'main', rows, checksum, secretsKept: true }],
    });
    expect(organizationId).not.toBe(organization.id);
    expect(await placeOf(organizationId)).toBe('main');
  });

  it('are refused with the exit code for it', async () => {
    writeFileSync(file('cut.kith'), readFileSync(file('one.kith')).subarray(0, -40));
    const outcomes = await Promise.all([
      refused('restore', '--file', file('one.kith'), ...secret),
      refused('restore', '--file', file('cut.kith'), '--new-id', ...secret),
      refused('backup', '--org', unknownId, '--file', file('unknown.kith')),
    ]);
    expect(outcomes).toEqual([
      [5, 'CONFLICT'],
      [2, 'VALIDATION_ERROR'],
      [3, 'NOT_FOUND'],
    ]);
    expect(existsSync(file('unknown.kith'))).toBe(false);
    const { code, stdout, stderr } = await command(['restore', '--file', file('nowhere.kith')], env);
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^error: .+\n$/) });
  });
});
