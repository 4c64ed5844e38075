/** The worker thread of `multistatus-aside.ts`. */
import { parentPort } from 'node:worker_threads';
import { FieldProblem } from '../../fields/field-problem.ts';
import type { WorkerAnswer } from '../../lib/aside.ts';
import { messageForLog } from '../../lib/thrown.ts';
import { readMultistatus, type Multistatus } from './multistatus.ts';

parentPort?.on('message', (bytes: Uint8Array) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- `postMessage` of threads has no target origin
  parentPort?.postMessage(answer(bytes));
});

function answer(bytes: Uint8Array): WorkerAnswer<Multistatus> {
  try {
    return { made: readMultistatus(new TextDecoder().decode(bytes)) };
  } catch (error) {
    const isProblem = error instanceof FieldProblem;
    return { message: isProblem ? error.message : messageForLog(error), isProblem };
  }
}
