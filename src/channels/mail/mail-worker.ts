/** The worker thread of `mail-aside.ts`. */
import { parentPort } from 'node:worker_threads';
import { FieldProblem } from '../../fields/field-problem.ts';
import type { WorkerAnswer } from '../../lib/aside.ts';
import { messageForLog } from '../../lib/thrown.ts';
import { readMail, type Mail } from './read-mail.ts';

parentPort?.on('message', (bytes: Uint8Array) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- `postMessage` of threads has no target origin
  void answer(bytes).then((result) => parentPort?.postMessage(result));
});

async function answer(bytes: Uint8Array): Promise<WorkerAnswer<Mail>> {
  try {
    return { made: await readMail(bytes) };
  } catch (error) {
    const isProblem = error instanceof FieldProblem;
    return { message: isProblem ? error.message : messageForLog(error), isProblem };
  }
}
