/** The real command line on a terminal: one of the system's own, which `script` makes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';

const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));

export interface Terminal {
  readonly process: ChildProcess;
  /** All that it has shown so far, with what steers colours, and line ends of one character. */
  raw(): string;
  /** The same without colours. */
  shown(): string;
  /** Resolves when it has shown `text`. */
  until(text: string): Promise<void>;
  /** As if it was typed. */
  type(text: string): void;
  /** The command's exit code. */
  readonly ended: Promise<number | null>;
}

export const ctrlC = '\u0003';

/** Nothing of the environment of the tests reaches the command but `PATH` and what `env` says. */
export function onTerminal(args: readonly string[], env: NodeJS.ProcessEnv = {}, columns = 80): Terminal {
  // In the shell's place: one that is interrupted as well would have a say in the exit code.
  const command = `stty cols ${columns}; exec ${[process.execPath, launcher, ...args].map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', KITH_WORKERS: '1', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (all += text));
  const raw = () => all.replaceAll('\r\n', '\n');
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  return {
    process: child,
    raw,
    shown: () => stripVTControlCharacters(raw()),
    async until(text) {
      await expect.poll(raw, { timeout: 60_000, interval: 20 }).toContain(text);
    },
    type: (text) => void child.stdin.write(text),
    ended,
  };
}
