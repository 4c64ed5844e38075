/** Splits a full name into first and last name. */

/** Particles that belong to the last name. */
const particles: ReadonlySet<string> = new Set(
  'von van der den de del della di da dos das du la le ten ter zu zur bin ibn al el'.split(' '),
);
const titles = /^(?:mr|mrs|ms|miss|dr|prof|herr|frau|mme|sr|sra)\.?$/i;
const suffixes = /^(?:jr|sr|ii|iii|iv|phd|md|esq|mba)\.?$/i;

/** Splits `Ada King, Jr.`, `King, Ada` and `Ludwig van Beethoven`; a single word is the first name. */
export function splitName(text: string): { readonly first: string; readonly last: string } {
  const [before = '', ...after] = text.split(',').map((part) => part.trim());
  const behind = after.join(' ').trim();
  if (behind !== '' && !behind.split(/\s+/).every((word) => suffixes.test(word)))
    return { first: behind, last: before };
  const words = before.split(/\s+/).filter((word) => word !== '');
  while (words.length > 1 && titles.test(words[0] ?? '')) words.shift();
  const suffix = words.length > 2 && suffixes.test(words.at(-1) ?? '') ? words.pop() : undefined;
  if (words.length < 2) return { first: words.join(' '), last: '' };
  let at = words.length - 1;
  while (at > 1 && particles.has((words[at - 1] ?? '').toLowerCase())) at--;
  const last = [...words.slice(at), ...(suffix === undefined ? [] : [suffix])];
  return { first: words.slice(0, at).join(' '), last: last.join(' ') };
}
