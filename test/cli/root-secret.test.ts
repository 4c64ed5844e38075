/** What is told of a root secret that is lost, or another one: nothing takes its place unless somebody says so. */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, serve } from '../faults/service.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kith, kithJson } from './in-process.ts';
import { start } from './kith.ts';

const another = 'another secret'.padEnd(32, '.');

let dataDir: string;
let file: string;
let env: NodeJS.ProcessEnv;
let organizationId: string;
let token: string;
beforeAll(async () => {
  dataDir = temporaryDir();
  file = join(dataDir, 'secret');
  env = { KITH_DATA_DIR: dataDir, PORT: '0', KITH_LOG_LEVEL: 'error', KITH_DEMO: 'off' };
  const create = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
  const { json } = await kithJson(create, env);
  organizationId = String(json['organizationId']);
  token = String(json['token']);
}, 60_000);
afterAll(() => rmSync(dataDir, { recursive: true }));

const none = 'The root secret at hand opens none of the organizations, whose tokens it refuses';

it('of one that is gone: no other is made', { timeout: 120_000 }, async () => {
  renameSync(file, `${file}.away`);
  try {
    const message = expect.stringContaining(
      `There is no secret in ${file}, and the organizations of this database are`,
    );
    expect(await kithJson(['org', 'list'], env)).toMatchObject({ code: 5, json: { code: 'CONFLICT', message } });
    expect(await start(['serve'], env).outcome).toMatchObject({ code: 5, stdout: '', stderr: message });
    const doctor = await kith(['doctor'], env);
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(`there is no secret in ${file}`) });
    expect(doctor.stdout).toContain(`organization ${organizationId} ("Acme") cannot be opened`);
    expect(existsSync(file)).toBe(false);
  } finally {
    renameSync(`${file}.away`, file);
  }
  expect(await kithJson(['org', 'list'], env)).toMatchObject({ code: 0, stderr: '' });
});

it('of another one: what it does not open, at the start, by commands and by doctor', { timeout: 120_000 }, async () => {
  const secret = readFileSync(file, 'utf8').trim();
  const wrong = { ...env, KITH_SECRET_KEY: another };
  expect(await kithJson(['org', 'list'], wrong)).toMatchObject({ code: 0, stderr: expect.stringContaining(none) });
  const doctor = await kith(['doctor'], wrong);
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('put back the secret that sealed it') });
  expect(doctor.stdout).toContain(`organization ${organizationId} ("Acme") cannot be opened`);
  const service = await serve({ ...wrong, KITH_LOG_LEVEL: 'error' });
  try {
    expect((await ask(service.url, token, 'GET', '/api/v1/me'))?.status).toBe(401);
  } finally {
    service.kill('SIGTERM');
  }
  const { stderr } = await service.outcome;
  expect(stderr).toContain(`secret     ${none}`);
  expect(stderr).toContain(`"organizations":["${organizationId}"]`);
  const both = { ...wrong, KITH_SECRET_KEYS_OLD: secret };
  expect(await kithJson(['org', 'list'], both)).toMatchObject({ code: 0, stderr: '' });
});

it('of one that is lost for good: a new one may take its place, when that is said', { timeout: 120_000 }, async () => {
  const wrong = { ...env, KITH_SECRET_KEY: another };
  const { stdout } = await kith(
    ['token', 'create', '--org', organizationId, '--email', 'ada@acme.test', '--name', 'new', '--json'],
    wrong,
  );
  const { token: fresh } = JSON.parse(stdout) as { token: string };
  const service = await serve(wrong);
  const company = (key: string) =>
    fetch(`${service.url}/api/v1/records/companies`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fresh}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name: 'Globex' }),
    });
  try {
    const refused = await company('a');
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { message: expect.stringContaining('The service lacks the secret that keeps answers for Idempotency-Key') },
    ]);
    expect(await kithJson(['keys', 'rotate'], wrong)).toMatchObject({ code: 1 });
    expect(await kithJson(['keys', 'rotate', '--lost'], wrong)).toMatchObject({ code: 0, json: { replaced: 1 } });
    expect((await company('a')).status).toBe(200);
  } finally {
    service.kill('SIGTERM');
    await service.outcome;
  }
  expect(await kithJson(['org', 'list'], wrong)).toMatchObject({ code: 0, stderr: '' });
  expect((await kith(['doctor'], wrong)).code).toBe(0);
});
