/** Normalises text for searching; stored texts and queries pass through the same function. [spec: Search] */

/** Only the first characters of a LONG_TEXT are searchable; other types are searchable as a whole. */
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
  // Compatibility decomposition first (ℌ is a capital only once decomposed); lowering a capital İ leaves a combining
  // mark.
  const lowered = text.normalize('NFKD').toLowerCase().replace(marks, '');
  return lowered.replace(special, (letter) => replacements[letter] ?? letter);
}

/** The first `limit` characters, never half of a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
