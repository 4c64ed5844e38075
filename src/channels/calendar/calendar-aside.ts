/** Expands meetings beside the event loop: rules of strangers may take any time. */
import { AsideProblem, createAside, type Asker } from '../../lib/aside.ts';
import type { Entry } from './entry.ts';
import type { Expanded, Span } from './expand.ts';

const aside = createAside<Expanded>(new URL('calendar-worker.ts', import.meta.url), {
  maxMs: 5_000,
  resourceLimits: { maxOldGenerationSizeMb: 256 },
});

/** The occurrences of a meeting; the words of why there are none that can be told. Rejects as soon as the work is over. */
export async function expandAside(entry: Entry, span: Span, asker: Asker): Promise<Expanded | string> {
  try {
    return await aside(JSON.stringify({ entry, span }), asker);
  } catch (error) {
    if (error instanceof AsideProblem) return error.message;
    throw error;
  }
}
