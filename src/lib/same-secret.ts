/** Compares secrets sent by callers with the expected ones. */
import { hash, timingSafeEqual } from 'node:crypto';

/** Whether both texts are equal, in a time that reveals neither. */
export function isSameSecret(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
