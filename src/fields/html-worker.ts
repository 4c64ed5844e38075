/** Cleans HTML in a thread of its own: `html-aside.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import type { Told } from '../lib/aside.ts';
import { messageForLog } from '../lib/thrown.ts';
import { FieldProblem } from './field-problem.ts';
import { cleanHtml, type CleanHtml } from './html.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
parentPort?.on('message', (html: string) => parentPort?.postMessage(answer(html)));

function answer(html: string): Told<CleanHtml> {
  try {
    return { made: cleanHtml(html) };
  } catch (error) {
    const isProblem = error instanceof FieldProblem;
    // The class of an error, which says whether its text may be logged, does not cross over.
    return { message: isProblem ? error.message : messageForLog(error), isProblem };
  }
}
