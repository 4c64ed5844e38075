/** Expands meetings, and reads what servers of calendars say, in a thread of its own: `calendar-aside.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { FieldProblem } from '../../fields/field-problem.ts';
import type { WorkerAnswer } from '../../lib/aside.ts';
import { expand, type Expanded, type Span } from './expand.ts';
import type { Entry } from './entry.ts';

parentPort?.on('message', (given: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
  parentPort?.postMessage(answer(given));
});

function answer(given: string): WorkerAnswer<Expanded> {
  try {
    const { entry, span } = JSON.parse(given) as { entry: Entry; span: Span };
    return { made: expand(entry, span) };
  } catch (error) {
    // Whatever its rules make the library throw is about this meeting, and holds no other one up.
    const message = error instanceof FieldProblem ? error.message : 'has times or rules that cannot be read';
    return { message, isProblem: true };
  }
}
