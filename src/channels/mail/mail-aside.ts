/** Reads mails beside the event loop: what strangers send may take any time. */
import { createAside } from '../../lib/aside.ts';
import type { Mail } from './read-mail.ts';

/** Reads a message from its bytes. Rejects with AsideProblem for one that cannot be read, or as soon as the work is over. */
export const readMailAside = createAside<Mail>(new URL('mail-worker.ts', import.meta.url), {
  maxMs: 10_000,
  resourceLimits: { maxOldGenerationSizeMb: 512 },
});
