/** Questions to whoever sits at the terminal. */
import { createInterface } from 'node:readline';

/** Whether somebody is there to be asked. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** What is typed; nothing where the input ends, or the command is stopped. */
export function ask(question: string, interruption: AbortSignal): Promise<string> {
  if (interruption.aborted) return Promise.resolve('');
  // Without `terminal` a Ctrl-C stays the signal that it is.
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
