/** Reads what servers of calendars answer beside the event loop: it may be large. */
import { createAside } from '../../lib/aside.ts';
import type { Multistatus } from './multistatus.ts';

/** Reads an answer from its bytes. Rejects with AsideProblem for what is none, or as soon as the work is over. */
export const readMultistatusAside = createAside<Multistatus>(new URL('multistatus-worker.ts', import.meta.url), {
  maxMs: 10_000,
  resourceLimits: { maxOldGenerationSizeMb: 512 },
});
