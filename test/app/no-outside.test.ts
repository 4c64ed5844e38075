/** Kith sends nothing anywhere: no telemetry, no update check. Every process of it is watched, from the first start on. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kith, kithJson } from '../cli/kith.ts';
import { serve } from '../faults/service.ts';
import { temporaryDir } from '../support/embedded.ts';
import { testSecret } from '../support/engine.ts';

const guard = fileURLToPath(new URL('outside-guard.ts', import.meta.url));
let directory: string;
let dataDir: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kith-outside-'));
  dataDir = temporaryDir();
});
afterAll(() => {
  rmSync(directory, { recursive: true });
  rmSync(dataDir, { recursive: true });
});

function watched(name: string): { env: NodeJS.ProcessEnv; lines: (kind: string) => string[] } {
  const file = join(directory, name);
  return {
    env: { NODE_OPTIONS: `--import=${guard}`, OUTSIDE_LOG: file },
    lines: (kind) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(kind)),
  };
}

it.each([
  [`fetch('http://192.0.2.1/').catch(() => {})`, 'refused connect 192.0.2.1'],
  [`fetch('https://updates.example/').catch(() => {})`, 'refused connect updates.example'],
  [`require('node:http').get('http://192.0.2.1/')`, 'refused connect 192.0.2.1'],
  [`require('node:net').connect(80, '2001:db8::1')`, 'refused connect 2001:db8::1'],
  [`require('node:dns').lookup('updates.example', () => {})`, 'refused lookup updates.example'],
  [`require('node:dns').promises.resolve4('updates.example')`, 'refused resolve4 updates.example'],
  [`require('node:dgram').createSocket('udp4').send('x', 53, '192.0.2.1')`, 'refused datagram send'],
])('the watch sees %s', (code, line) => {
  const { env, lines } = watched('itself');
  spawnSync(process.execPath, ['-e', code], { env: { PATH: process.env['PATH'], ...env } });
  expect(lines('refused')).toContain(line);
  rmSync(env['OUTSIDE_LOG'] ?? '');
});

it('from the first start to the last command, nothing leaves the machine', { timeout: 180_000 }, async () => {
  const { env: watching, lines } = watched('kith');
  const settings = { KITH_DEMO: 'on', KITH_WORKERS: '2', KITH_LOG_LEVEL: 'error', KITH_SECRET_KEY: testSecret };
  const env = { ...watching, KITH_DATA_DIR: dataDir, ...settings };
  const service = await serve({ ...env, DATABASE_URL: '' });
  try {
    const organization = (await kithJson(['org', 'list'], env)).json['organizations'] as { id: string }[];
    const org = organization[0]?.id ?? '';
    const args = ['token', 'create', '--org', org, '--email', 'ada@acme.example', '--name', 'watched'];
    const users = await kithJson(
      ['user', 'create', '--org', org, '--name', 'W', '--email', 'w@acme.test', '--role', 'Admin'],
      env,
    );
    const token = String(users.json['token']);
    expect([users.code, token]).toEqual([0, expect.stringMatching(/^svc_/)]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const record = JSON.stringify({
      first_name: 'Nel',
      emails: ['nel@globex.example'],
      linkedin_url: 'https://linkedin.example/nel',
    });
    const requests: [path: string, init?: RequestInit][] = [
      ['/'],
      ['/health/ready'],
      ['/metrics'],
      ['/docs'],
      ['/api/v1/openapi.json'],
      ['/api/v1/me'],
      ['/api/v1/records/contacts?limit=5&search=a'],
      ['/api/v1/aggregate/opportunities?function=COUNT&group_by=owner'],
      ['/api/v1/export/companies?format=csv'],
      ['/api/v1/records/contacts', { method: 'POST', body: record }],
      ['/api/v1/records/nonsense'],
    ];
    for (const [path, init] of requests) {
      const response = await fetch(service.url + path, { ...init, headers });
      await response.arrayBuffer();
      expect(response.status, path).toBeLessThan(500);
    }
    for (const command of [
      args,
      ['doctor'],
      ['config'],
      ['migrate', '--status'],
      ['pull', '--org', org],
      ['--version'],
    ])
      expect((await kith(command, env)).stderr, command.join(' ')).not.toContain('reach out');
  } finally {
    service.kill('SIGTERM');
  }
  expect((await service.outcome).code).toBe(0);
  expect(lines('watching').length).toBeGreaterThan(8);
  expect(lines('watching').join('\n')).toContain('kith.js serve');
  expect(lines('refused')).toEqual([]);
});
