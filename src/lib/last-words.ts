/** Reports a defect that ends the process. */
import type { Log } from './log.ts';

/**
 * Logs uncaught errors, and ends the process: Node's own report would print every property, and so values of records.
 */
export function logLastWords(log: Log): void {
  process.once('uncaughtException', (error) => {
    log.error({ error }, 'A defect ends the process');
    process.exit(1);
  });
}
