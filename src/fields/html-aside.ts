/** Cleans long HTML in a worker thread. */
import { AsideProblem, createAside } from '../lib/aside.ts';
import { FieldProblem } from './field-problem.ts';
import type { Asker } from './field-type.ts';
import type { CleanHtml } from './html.ts';

const inThread = createAside<CleanHtml>(new URL('html-worker.ts', import.meta.url));

/** `cleanHtml` without blocking the event loop. Rejects with FieldProblem, or at the end of the request. */
export async function cleanAside(html: string, asker: Asker): Promise<CleanHtml> {
  try {
    return await inThread(html, asker);
  } catch (error) {
    throw error instanceof AsideProblem ? new FieldProblem(error.message) : error;
  }
}
