/** A phone number as typed into a search, and the forms in which it may be stored. [spec: Search] */

/** Calling codes of one and two digits; all others have three. No code is the beginning of another. */
const shortCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const isInternational = /^\(?(?:\+|00)/;

/** The zero dialled only within a country, as in +49 (0)30. */
const innerZero = /\(0\)/g;

/** Digits of the shortest number; fewer are ordinary words. */
const fewest = 6;
const fewestNational = 5;

/** Characters of numbers as people type them. */
export const phoneWord = /^[+\p{Nd}()./-]+$/u;

/**
 * Texts of which one occurs in the search text of a record with this number: it has each number as digits after a
 * space. Empty for too few digits.
 */
export function phoneForms(text: string): readonly string[] {
  const digits = digitsIn(text);
  if (digits.length < fewest) return [];
  if (isInternational.test(text)) return internationalForms(digitsIn(text.replace(innerZero, '')).replace(/^00/, ''));
  // In North America the country code is written without a plus.
  const national = digits.length === 11 && digits.startsWith('1') ? [` ${digits.slice(1)}`] : [];
  return [digits.replace(/^0/, ''), ...national];
}

/** With its country code, and as dialled within its country, where a zero may precede it. */
function internationalForms(digits: string): readonly string[] {
  const codeLength = shortCodes.exec(digits)?.[0].length ?? 3;
  const [code, national] = [digits.slice(0, codeLength), digits.slice(codeLength)];
  if (national.length < fewestNational) return [digits];
  return [digits, `${code}0${national}`, ` 0${national}`, ` ${national}`];
}

function digitsIn(text: string): string {
  return text.replace(/\P{Nd}/gu, '');
}
