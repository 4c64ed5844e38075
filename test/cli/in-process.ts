/**
 * Runs the command line within the test's own process: a process for each command would be most of what its test costs.
 * What is about a process (signals, terminals, accounts, full disks) runs one: `kith.ts`.
 */
import { Readable } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import { jsonOf, type JsonOutcome, type Outcome } from './kith.ts';

/** One after the other: what a command takes for its process's is given to each in turn. */
let last: Promise<unknown> = Promise.resolve();

/** As of `kith.ts`: nothing of the tests' environment reaches the command but `PATH` and what `env` says. */
export function kith(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input: string | Uint8Array = '',
  directory?: string,
): Promise<Outcome> {
  const turn = last.then(() => within(args, env, input, directory));
  last = turn.catch(() => {});
  return turn;
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

async function within(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string | Uint8Array,
  directory: string | undefined,
): Promise<Outcome> {
  const before = { env: process.env, cwd: process.cwd() };
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  process.env = { PATH: before.env['PATH'], KITH_WORKERS: '1', ...env };
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  if (directory !== undefined) process.chdir(directory);
  try {
    return { code: await run(args), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.end();
    stderr.end();
    process.env = before.env;
    Object.defineProperty(process, 'stdin', stdin);
    process.chdir(before.cwd);
  }
}

/** Takes what is written to `stream`, which is no terminal meanwhile. */
function capture(stream: NodeJS.WriteStream) {
  const { write, isTTY } = stream;
  let written = Buffer.alloc(0);
  stream.isTTY = false;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    written = Buffer.concat([written, Buffer.from(chunk)]);
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (done) setImmediate(done);
    return true;
  };
  return {
    text: () => written.toString('utf8'),
    end: () => void Object.assign(stream, { write, isTTY }),
  };
}
