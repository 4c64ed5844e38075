import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDir } from '../support/embedded.ts';
import { kith, kithJson } from './in-process.ts';
import { start, type Running } from './kith.ts';

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
    const empty = await kith(['org', 'list'], env);
    const told = `Made a new data directory: ${dataDir}; set KITH_DATA_DIR to use another one\n`;
    const none = 'No organization yet: kith org create makes one\n';
    expect(empty).toEqual({ code: 0, stdout: '', stderr: told + none });
    const created = await kithJson(create, env);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const listed = await kithJson(['org', 'list'], env);
    expect(listed.json).toMatchObject({ organizations: [{ id: created.json['organizationId'], name: 'Acme' }] });
  });

  it('says that a file is no data directory', async () => {
    const file = join(dataDir, 'file');
    closeSync(openSync(file, 'w'));
    const refusals: [dir: string, code: number, told: string][] = [
      [file, 2, `${file} is there, and is no directory`],
      [join(file, 'below'), 69, `${join(file, 'below')} is no directory, or lies below what is none`],
    ];
    for (const [KITH_DATA_DIR, code, told] of refusals)
      expect(await kith(['org', 'list'], { ...env, KITH_DATA_DIR })).toEqual({
        code,
        stdout: '',
        stderr: `error: ${told}: name another place\n`,
      });
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

  it('opens no debugger at a signal', { timeout: 60_000 }, async () => {
    const { running, url } = await serve({ KITH_DEMO: 'off' });
    running.process.kill('SIGUSR1');
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    running.process.kill('SIGTERM');
    expect(await running.outcome).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Debugger') });
  });

  it(
    'warns where what it prints, with the token, goes to a file that others can read',
    { timeout: 60_000 },
    async () => {
      const path = join(dataDir, 'printed');
      const printed = openSync(path, 'w', 0o644);
      const { process: child, outcome } = start(['serve'], { ...env, KITH_LOG_LEVEL: 'warn' }, printed);
      closeSync(printed);
      started.push({ process: child, outcome });
      const lines = createInterface({ input: child.stderr ?? process.stdin });
      const [line] = (await once(lines, 'line')) as [string];
      expect(line).toContain('a file that others can read, with the token of the demo: chmod 600 it');
      expect(readFileSync(path, 'utf8')).toMatch(/svc_/);
    },
  );

  it('refuses a data directory that is in use, and touches nothing', { timeout: 60_000 }, async () => {
    const { url } = await serve({ KITH_DEMO: 'off' });
    const second = await start(['serve'], env).outcome;
    expect(second).toMatchObject({ code: 69, stdout: '', stderr: expect.stringContaining('in use') });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('refuses a data directory that others could replace by one of theirs', { timeout: 60_000 }, async () => {
    const parent = join(dataDir, 'for-all');
    mkdirSync(parent);
    const inside = { ...env, KITH_DATA_DIR: join(parent, 'kith') };
    chmodSync(parent, 0o777);
    for (const refused of [await start(['serve'], inside).outcome, await start(['org', 'list'], inside).outcome]) {
      const sentence = `Others can write in ${parent}, so that ${join(parent, 'kith')} could be replaced`;
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    }
    expect(existsSync(join(parent, 'kith'))).toBe(false);
    chmodSync(parent, 0o1777);
    expect(await kithJson(['org', 'list'], inside)).toMatchObject({ code: 0, json: { organizations: [] } });
  });
});
