/** Parses mails off the event loop: mails of strangers may take any time. */
import { createAside } from '../../lib/aside.ts';
import type { Mail } from './read-mail.ts';

/** Parses a message. Rejects with AsideProblem if it cannot be parsed, and when the call ends. */
export const readMailAside = createAside<Mail>(new URL('mail-worker.ts', import.meta.url), {
  maxMs: 10_000,
  resourceLimits: { maxOldGenerationSizeMb: 512 },
});
