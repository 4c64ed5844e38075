/** Times as text. */

let last = { at: NaN, text: '' };

/** `at` (milliseconds) as ISO 8601 in UTC. The last result is cached, since many callers ask for the same. */
export function isoTime(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
