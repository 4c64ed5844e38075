/** Lists of names in a sentence, shortened. */

/** The first `most` names, comma-separated, and the number of the others. */
export function shortList(names: readonly string[], most: number): string {
  const more = names.length - most;
  const first = names.slice(0, most).join(', ');
  return more > 0 ? `${first} and ${more.toLocaleString('en')} more` : first;
}
