/** Parses answers of calendar servers off the event loop, since they may be large. */
import { createAside } from '../../lib/aside.ts';
import type { Multistatus } from './multistatus.ts';

/** Parses an answer. Rejects with AsideProblem if it is invalid or parsing it takes too long, and when the call ends. */
export const readMultistatusAside = createAside<Multistatus>(new URL('multistatus-worker.ts', import.meta.url), {
  maxMs: 10_000,
  resourceLimits: { maxOldGenerationSizeMb: 512 },
});
