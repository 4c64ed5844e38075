/** How text is made comparable for a search: what is stored and what is asked pass through the same function. [spec: Search] */

/** A LONG_TEXT is found by its first characters only; every other type's whole value is searchable. */
export const longTextSearchLimit = 2_000;

const plain = /^[\x20-\x7e]*$/;
const marks = /\p{M}+/gu;
const special = /[ßςłøđæœ]/g;
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
};

/** Lower case without accents, with single spaces and none at the ends: `  Łódź\nStraße ` becomes `lodz strasse`. */
export function normalise(text: string): string {
  const folded = plain.test(text) ? text.toLowerCase() : fold(text);
  return folded.replace(/\s+/g, ' ').trim();
}

function fold(text: string): string {
  // Compatibility forms first (ℌ is a capital only once decomposed); capital İ leaves a mark behind when it is lowered.
  const lowered = text.normalize('NFKD').toLowerCase().replace(marks, '');
  return lowered.replace(special, (letter) => replacements[letter] ?? letter);
}

/** The first `limit` characters, never half of a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
