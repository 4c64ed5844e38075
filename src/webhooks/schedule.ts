/** The retry schedule: for a refused event, and for a receiver that accepts nothing. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The pauses between attempts: eleven attempts within 24 hours. */
const pauses: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
];

/** After this many consecutive failures, events are sent one at a time with pauses. */
export const troubledFrom = 3;
/** The most records sent concurrently to a receiver without failures. */
const mostAtOnce = 8;
const longestRestMs = minute;
/** The longest pause accepted from Retry-After. */
const longestAskedMs = hour;

/** A receiver that has accepted nothing for this long is disabled. */
export const patienceMs = 5 * day;
export const patienceDays = patienceMs / day;

/** Milliseconds until the next attempt; undefined after the last one. */
export function pauseAfter(attempts: number, askedMs = 0): number | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : Math.max(spread(pause), Math.min(askedMs, longestAskedMs));
}

/** The number of concurrent records after so many consecutive failures. */
export function atOnceAfter(failures: number): number {
  return mostAtOnce >> Math.min(failures, troubledFrom);
}

/** Milliseconds to pause a receiver after so many consecutive failures. */
export function restAfter(failures: number, askedMs = 0): number {
  const own = failures < troubledFrom ? 0 : Math.min(longestRestMs, second * 2 ** (failures - troubledFrom));
  return Math.max(spread(own), Math.min(askedMs, longestAskedMs));
}

/** Adds jitter. */
function spread(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}
