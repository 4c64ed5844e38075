/** Asks questions on the terminal. */
import { createInterface } from 'node:readline';

/** Whether standard input and error are a terminal. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** The typed answer; '' if the input ends or the command is interrupted. */
export function ask(question: string, interruption: AbortSignal): Promise<string> {
  if (interruption.aborted) return Promise.resolve('');
  // Without `terminal`, Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''));
    interruption.addEventListener('abort', () => lines.close(), { once: true });
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
