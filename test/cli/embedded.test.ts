import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDir } from '../support/embedded.ts';
import { kithJson, start, type Running } from './kith.ts';

let dataDir: string;
let env: NodeJS.ProcessEnv;
const started: Running[] = [];

beforeEach(() => {
  dataDir = temporaryDir();
  env = { KITH_DATA_DIR: dataDir, PORT: '0', KITH_LOG_LEVEL: 'error' };
});

afterEach(async () => {
  for (const { process: child, outcome } of started.splice(0)) {
    child.kill('SIGTERM');
    await outcome;
  }
  rmSync(dataDir, { recursive: true });
});

/** Starts the service; its address once it is ready. */
async function serve(more: NodeJS.ProcessEnv = {}): Promise<{ running: Running; url: string }> {
  const running = start(['serve', '--json'], { ...env, ...more });
  started.push(running);
  const { stdout } = running.process;
  if (!stdout) throw new Error('The service has no output');
  for await (const line of createInterface({ input: stdout }))
    return { running, url: (JSON.parse(line) as { url: string }).url };
  throw new Error(`The service did not start: ${(await running.outcome).stderr}`);
}

const create = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];

describe('the command line on an embedded database', () => {
  it('works without a running server, and what it made stays', { timeout: 60_000 }, async () => {
    const created = await kithJson(create, env);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const listed = await kithJson(['org', 'list'], env);
    expect(listed.json).toMatchObject({ organizations: [{ id: created.json['organizationId'], name: 'Acme' }] });
  });

  it('works beside a running server, whose requests see it at once', { timeout: 60_000 }, async () => {
    const { url } = await serve({ KITH_DEMO: 'off' });
    const { json } = await kithJson(create, env);
    const ask = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${String(json['token'])}` } });
    expect((await ask()).status).toBe(200);
    await kithJson(
      ['user', 'update', '--org', String(json['organizationId']), '--email', 'ada@acme.test', '--active', 'false'],
      env,
    );
    expect((await ask()).status).toBe(401);
  });
});

describe('kith serve', () => {
  it('makes the demo on a first start, and stops at a signal with 0', { timeout: 60_000 }, async () => {
    const { running, url } = await serve();
    expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ok' });
    const { json } = await kithJson(['org', 'list'], env);
    expect(json).toMatchObject({ organizations: [{ name: 'Acme Demo' }] });
    running.process.kill('SIGTERM');
    const { code, stderr } = await running.outcome;
    expect(code).toBe(0);
    expect(stderr).toMatch(/curl .*svc_/);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('refuses a data directory that is in use, and touches nothing', { timeout: 60_000 }, async () => {
    const { url } = await serve({ KITH_DEMO: 'off' });
    const second = await start(['serve'], env).outcome;
    expect(second).toMatchObject({ code: 69, stdout: '', stderr: expect.stringContaining('in use') });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });
});
