/** Secrets that callers send, compared with what they should be. */
import { hash, timingSafeEqual } from 'node:crypto';

/** Whether both are the same text. How long it takes tells nothing of either. */
export function isSameSecret(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
