/**
 * What other tenants wait while one does its worst: `node bench/hostile.ts [PART OF A NAME]` starts the service with one
 * process and its limits on, and drives each attack while another organization asks for one record over and over.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { attacks, workspace, type Attacker } from './attacks.ts';
import { residentMiB } from './processes.ts';
import type { Probe, Waited } from './prober.ts';

const launcher = fileURLToPath(new URL('../bin/kith.js', import.meta.url));
const directory = mkdtempSync(path.join(tmpdir(), 'kith-hostile-'));
chmodSync(directory, 0o711); // PostgreSQL may run as another account
const env = {
  PATH: process.env['PATH'],
  KITH_DATA_DIR: path.join(directory, 'kith'),
  KITH_DEMO: 'off',
  KITH_WORKERS: '1',
  // An attack within the budgets is one after the other; here all come in one go.
  KITH_RATE_LIMITS: 'off',
  KITH_LOG_LEVEL: 'error',
  PORT: '0',
};

interface Tenant {
  readonly id: string;
  readonly admin: string;
}

async function kith(...words: readonly string[]): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [launcher, ...words, '--json'], { env });
  return JSON.parse(stdout) as Record<string, string>;
}

async function makeTenant(name: string): Promise<Tenant> {
  const email = `${name.toLowerCase()}@kith.test`;
  const made = await kith('org', 'create', '--name', name, '--admin-name', name, '--admin-email', email);
  return { id: made['organizationId'] ?? '', admin: made['token'] ?? '' };
}

function asker(port: number, token: string | undefined, prefix: string): Attacker['send'] {
  return (method, address, body) =>
    new Promise((resolve) => {
      const headers: OutgoingHttpHeaders = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      const bytes = body?.gzipped ?? (body?.text === undefined ? undefined : Buffer.from(body.text));
      if (bytes) Object.assign(headers, { 'content-type': 'application/json', 'content-length': bytes.length });
      if (body?.gzipped) headers['content-encoding'] = 'gzip';
      const broken = () => resolve({ status: 0, bytes: 0 });
      const sent = httpRequest({ host: '127.0.0.1', port, method, path: prefix + address, headers }, (response) => {
        let size = 0;
        response.on('data', (chunk: Buffer) => (size += chunk.length));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes: size }));
        response.once('error', broken);
      });
      sent.once('error', broken).end(bytes);
    });
}

/** The service's process, and where it listens. */
async function serve(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [launcher, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, port: Number(new URL((JSON.parse(line) as { url: string }).url).port) };
  }
  throw new Error('The service did not start');
}

const wanted = process.argv[2] ?? '';
const { child, port } = await serve();
try {
  const [victim, hostile] = [await makeTenant('Victim'), await makeTenant('Hostile')];
  const member = await kith(
    'user',
    'create',
    '--org',
    hostile.id,
    '--name',
    'M',
    '--email',
    'm@kith.test',
    '--role',
    'Member',
  );
  const asVictim = asker(port, victim.admin, '/api/v1');
  await asVictim('POST', '/records/companies', { text: JSON.stringify({ name: 'Globex' }) });
  const attacker: Attacker = {
    send: asker(port, member['token'], '/api/v1'),
    sendAsAdmin: asker(port, hostile.admin, '/api/v1'),
    sendToRoot: (address) => asker(port, undefined, '')('GET', address),
  };
  const applied = await attacker.sendAsAdmin('POST', '/manifest', { text: JSON.stringify(workspace) });
  if (applied.status !== 200) throw new Error(`The workspace was refused: ${applied.status}`);

  const probe: Probe = { port, path: '/api/v1/records/companies?limit=1', authorization: `Bearer ${victim.admin}` };
  const prober = new Worker(new URL('prober.ts', import.meta.url), { workerData: probe });
  console.log('attack | answer | took, s | others waited at most, ms (median) | service, MiB');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const tell = (word: 'begin' | 'end') => prober.postMessage(word);
  for (const { name, prepare } of attacks.filter((attack) => attack.name.includes(wanted))) {
    const drive = await prepare(attacker);
    tell('begin');
    const began = performance.now();
    const answer = await drive();
    const seconds = (performance.now() - began) / 1_000;
    tell('end');
    const [waited] = (await once(prober, 'message')) as [Waited];
    const others = `${waited.longestMs.toFixed(0)} (${waited.medianMs.toFixed(1)})${waited.failed ? `, ${waited.failed} failed` : ''}`;
    console.log(`${name} | ${answer} | ${seconds.toFixed(2)} | ${others} | ${residentMiB(child.pid ?? 0).toFixed(0)}`);
  }
  await prober.terminate();
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(directory, { recursive: true, force: true });
}
