/** The worker thread of `calendar-aside.ts`. */
import { parentPort } from 'node:worker_threads';
import { FieldProblem } from '../../fields/field-problem.ts';
import type { WorkerAnswer } from '../../lib/aside.ts';
import { expand, type Expanded, type Span } from './expand.ts';
import type { Entry } from './entry.ts';

parentPort?.on('message', (message: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- `postMessage` of threads has no target origin
  parentPort?.postMessage(answer(message));
});

function answer(message: string): WorkerAnswer<Expanded> {
  try {
    const { entry, span } = JSON.parse(message) as { entry: Entry; span: Span };
    return { made: expand(entry, span) };
  } catch (error) {
    // Any error of the library concerns only this meeting, and must not stop the others.
    const reason = error instanceof FieldProblem ? error.message : 'has times or rules that cannot be read';
    return { message: reason, isProblem: true };
  }
}
