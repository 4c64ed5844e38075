/** A Redis of a test's own, where the machine has one: Debian's server as a process, to be stopped, slowed and killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

const places = ['/usr/bin/redis-server', '/usr/bin/valkey-server'];

/** The program, or undefined: then a test says so and skips. */
export const redisServer = places.find((path) => existsSync(path));

export interface RedisProcess {
  readonly url: string;
  /** At the same port, and with nothing in it. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  /** It stays connected and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Kills it, and removes what it has left. */
  stop(): Promise<void>;
}

/** Resolves when it takes connections. */
export async function startRedis(program: string, flags: readonly string[] = []): Promise<RedisProcess> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'kith-redis-'));
  const begin = async () => {
    const given = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory, ...flags];
    const child = spawn(program, given, { stdio: ['ignore', 'pipe', 'inherit'] });
    await readiness(child);
    return child;
  };
  let child = await begin();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await kill();
      child = await begin();
    },
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function readiness({ stdout }: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!stdout) return reject(new Error('Redis has no standard output'));
    const lines = createInterface(stdout);
    lines.on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
    lines.once('close', () => reject(new Error('Redis did not start')));
  });
}
