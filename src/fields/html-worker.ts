/** The worker thread that cleans HTML; started by `html-aside.ts`. */
import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../lib/aside.ts';
import { messageForLog } from '../lib/thrown.ts';
import { FieldProblem } from './field-problem.ts';
import { cleanHtml, type CleanHtml } from './html.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
parentPort?.on('message', (html: string) => parentPort?.postMessage(answer(html)));

function answer(html: string): WorkerAnswer<CleanHtml> {
  try {
    return { made: cleanHtml(html) };
  } catch (error) {
    const isProblem = error instanceof FieldProblem;
    // The error's class, which decides whether its text may be logged, does not survive the transfer.
    return { message: isProblem ? error.message : messageForLog(error), isProblem };
  }
}
