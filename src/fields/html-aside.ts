/** Cleans long HTML beside the event loop. */
import { AsideProblem, createAside } from '../lib/aside.ts';
import { FieldProblem } from './field-problem.ts';
import type { Asker } from './field-type.ts';
import type { CleanHtml } from './html.ts';

const inThread = createAside<CleanHtml>(new URL('html-worker.ts', import.meta.url));

/** As `cleanHtml`, which others need not wait for. Rejects with FieldProblem, or as soon as the request is over. */
export async function cleanAside(html: string, asker: Asker): Promise<CleanHtml> {
  try {
    return await inThread(html, asker);
  } catch (error) {
    throw error instanceof AsideProblem ? new FieldProblem(error.message) : error;
  }
}
