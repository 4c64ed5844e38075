/** Times as text. */

let last = { at: NaN, text: '' };

/** The moment of `at`, in milliseconds, as ISO 8601 in UTC. The latest is remembered: many ask for the same. */
export function isoTime(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
