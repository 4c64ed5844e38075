/** When something is sent once more: what a receiver refused, and a receiver that takes nothing at all. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Between an attempt and the next: 24 hours in all, eleven attempts. */
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

/** From so many failures in a row on, a receiver is asked one event at a time, and with a rest between. */
export const troubledFrom = 3;
/** Records that are sent to one receiver side by side, while it takes what it gets. */
const mostAtOnce = 8;
const longestRestMs = minute;
/** What a receiver may ask for with Retry-After. */
const longestAskedMs = hour;

/** A receiver that has taken nothing for so long is sent nothing more. */
export const patienceMs = 5 * day;
export const patienceDays = patienceMs / day;

/** Milliseconds until an event is tried again that was tried so often; undefined when that was the last time. */
export function pauseAfter(attempts: number, askedMs = 0): number | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : Math.max(spread(pause), Math.min(askedMs, longestAskedMs));
}

/** How many records are sent side by side to a receiver that failed so often in a row. */
export function atOnceAfter(failures: number): number {
  return mostAtOnce >> Math.min(failures, troubledFrom);
}

/** Milliseconds for which a receiver is let alone that failed so often in a row. */
export function restAfter(failures: number, askedMs = 0): number {
  const own = failures < troubledFrom ? 0 : Math.min(longestRestMs, second * 2 ** (failures - troubledFrom));
  return Math.max(spread(own), Math.min(askedMs, longestAskedMs));
}

/** Not for all at once. */
function spread(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}
