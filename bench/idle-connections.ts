/**
 * What idle connections cost: `node bench/idle-connections.ts [10000]` starts the service with one worker, opens so many
 * connections that send nothing but one request, and prints the memory of the service before and with them, and how long
 * requests of others take meanwhile. Fails at 600 MB or when a request fails. Needs `ulimit -n` above that number.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const most = 600 * 1024 * 1024;
const count = Number(process.argv[2] ?? 10_000);
const dataDir = mkdtempSync(join(tmpdir(), 'kith-idle-'));
// Started as root, PostgreSQL runs as another user, and would lie elsewhere if it could not get in.
chmodSync(dataDir, 0o711);
const launcher = fileURLToPath(new URL('../bin/kith.js', import.meta.url));
const env = {
  ...process.env,
  DATABASE_URL: '',
  PORT: '0',
  KITH_DATA_DIR: dataDir,
  KITH_DEMO: 'off',
  KITH_WORKERS: '1',
};
const service = spawn(process.execPath, [launcher, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const url = await baseUrl();
  await measure(url);
  const before = memory();
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(500, count - sockets.length) }, () => open(url));
    sockets.push(...(await Promise.all(some)));
  }
  const took = await measure(url);
  const after = memory();
  for (const socket of sockets) socket.destroy();
  process.stdout.write(
    `${JSON.stringify({ connections: count, beforeMB: megabytes(before), withThemMB: megabytes(after), ...took })}\n`,
  );
  process.exitCode = after < most ? 0 : 1;
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}

async function baseUrl(): Promise<URL> {
  for await (const line of createInterface({ input: service.stdout })) {
    return new URL((JSON.parse(line) as { url: string }).url);
  }
  throw new Error('The service did not start');
}

/** A connection that has had one answer and keeps silent from then on. */
async function open(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Requests one after the other, on a connection of their own. */
async function measure(url: URL): Promise<{ readonly medianMs: number; readonly p99Ms: number }> {
  const times: number[] = [];
  for (let n = 0; n < 300; n++) {
    const start = performance.now();
    const response = await fetch(new URL('/health/ready', url));
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A request was answered with ${response.status}`);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
  return { medianMs: at(0.5), p99Ms: at(0.99) };
}

/** Resident bytes of the service. */
function memory(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
