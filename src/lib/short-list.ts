/** Names in a sentence, of which there may be too many. */

/** The first `most` of the names with commas between, and how many more there are. */
export function shortList(names: readonly string[], most: number): string {
  const more = names.length - most;
  const first = names.slice(0, most).join(', ');
  return more > 0 ? `${first} and ${more.toLocaleString('en')} more` : first;
}
