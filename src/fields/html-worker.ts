/** Cleans HTML in a thread of its own: `html-aside.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../lib/thrown.ts';
import { FieldProblem } from './field-problem.ts';
import { cleanHtml } from './html.ts';
import type { Asked, Told } from './html-aside.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
parentPort?.on('message', ({ id, html }: Asked) => parentPort?.postMessage(answer(id, html)));

function answer(id: number, html: string): Told {
  try {
    return { id, clean: cleanHtml(html) };
  } catch (error) {
    return { id, message: messageOf(error), isProblem: error instanceof FieldProblem };
  }
}
