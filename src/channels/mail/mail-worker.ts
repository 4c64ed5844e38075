/** Reads mails in a thread of its own: `mail-aside.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { FieldProblem } from '../../fields/field-problem.ts';
import type { WorkerAnswer } from '../../lib/aside.ts';
import { messageForLog } from '../../lib/thrown.ts';
import { readMail, type Mail } from './read-mail.ts';

parentPort?.on('message', (bytes: Uint8Array) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
  void answer(bytes).then((told) => parentPort?.postMessage(told));
});

async function answer(bytes: Uint8Array): Promise<WorkerAnswer<Mail>> {
  try {
    return { made: await readMail(bytes) };
  } catch (error) {
    const isProblem = error instanceof FieldProblem;
    return { message: isProblem ? error.message : messageForLog(error), isProblem };
  }
}
