/** Runs the real command line as a process of its own. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseJson, type Json } from '../../src/lib/json.ts';

export const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly outcome: Promise<Outcome>;
}

/**
 * Nothing of the environment of the tests reaches the process but `PATH` and what `env` says. `output` is a file for what it
 * prints, `as` the account that it runs as, which only root can choose, and the directory.
 */
export function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  output?: number,
  as: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> = {},
): Running {
  const child = spawn(process.execPath, [launcher, ...args], {
    ...as,
    env: { PATH: process.env['PATH'], KITH_WORKERS: '1', ...env },
    stdio: ['pipe', output ?? 'pipe', 'pipe'],
  });
  const outcome = Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'close'),
  ]).then(([stdout, stderr, [code]]): Outcome => ({ code: typeof code === 'number' ? code : null, stdout, stderr }));
  return { process: child, outcome };
}

export async function kith(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input: string | Uint8Array = '',
  directory?: string,
): Promise<Outcome> {
  const { process: child, outcome } = start(args, env, undefined, { cwd: directory });
  child.stdin?.on('error', () => {}); // a command that reads nothing may be gone before all is written
  child.stdin?.end(input);
  return outcome;
}

export interface JsonOutcome {
  readonly code: number | null;
  readonly json: Record<string, Json>;
  readonly stderr: string;
}

/** With `--json`: the one document on standard output. */
export async function kithJson(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input: string | Uint8Array = '',
  directory?: string,
): Promise<JsonOutcome> {
  return jsonOf(await kith([...args, '--json'], env, input, directory));
}

/** Throws when there is anything but one document on standard output. */
export function jsonOf({ code, stdout, stderr }: Outcome): JsonOutcome {
  if (!stdout.endsWith('\n') || stdout.indexOf('\n') !== stdout.length - 1)
    throw new Error(`Not one document: ${stdout}${stderr}`);
  return { code, json: parseJson(stdout) as Record<string, Json>, stderr };
}
