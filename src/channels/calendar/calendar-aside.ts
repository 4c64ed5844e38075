/** Expands meetings off the event loop: rules come from strangers and may take any time. */
import { AsideProblem, createAside, type Asker } from '../../lib/aside.ts';
import type { Entry } from './entry.ts';
import type { Expanded, Span } from './expand.ts';

const aside = createAside<Expanded>(new URL('calendar-worker.ts', import.meta.url), {
  maxMs: 5_000,
  resourceLimits: { maxOldGenerationSizeMb: 256 },
});

/** The occurrences of a meeting, or the reason why it cannot be expanded. Rejects when the call ends. */
export async function expandAside(entry: Entry, span: Span, asker: Asker): Promise<Expanded | string> {
  try {
    return await aside(JSON.stringify({ entry, span }), asker);
  } catch (error) {
    if (error instanceof AsideProblem) return error.message;
    throw error;
  }
}
