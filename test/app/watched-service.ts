/** A service of its own whose event loop is watched, for the test that runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { serve, type ServiceProcess } from '../faults/service.ts';

export interface Hold {
  readonly ms: number;
  /** As `ms`, of the processor. */
  readonly cpuMs: number;
  /** All that the main thread took of the processor. */
  readonly workMs: number;
}

export interface WatchedService extends ServiceProcess {
  /** For how long its event loop was held at most since this was asked last. */
  longestHold(): Promise<Hold>;
}

/** Killed when the test ends. */
export async function serveWatched(env: NodeJS.ProcessEnv): Promise<WatchedService> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-loop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'delay');
  const preload = pathToFileURL(join(import.meta.dirname, 'loop-delay.ts')).href;
  const service = await serve({ ...env, NODE_OPTIONS: `--import=${preload}`, KITH_TEST_LOOP_DELAY: file });
  onTestFinished(() => service.kill('SIGKILL'));
  return {
    ...service,
    async longestHold() {
      rmSync(file, { force: true });
      process.kill(service.pid, 'SIGUSR2');
      const read = () => readFileSync(file, 'utf8');
      await expect.poll(read, { timeout: 60_000, interval: 10 }).toMatch(/\d/);
      return JSON.parse(read()) as Hold;
    },
  };
}
