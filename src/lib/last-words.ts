/** What is said of a defect that ends the process. */
import type { Log } from './log.ts';

/** Logs what nobody caught, and ends the process: Node by itself prints every property of it, and so values of records. */
export function logLastWords(log: Log): void {
  process.once('uncaughtException', (error) => {
    log.error({ error }, 'A defect ends the process');
    process.exit(1);
  });
}
