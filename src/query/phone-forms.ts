/** A phone number as somebody types it into a search, and how the same number may be stored. [spec: Search] */

/** Calling codes of one and two digits; all others have three. No code is the beginning of another. */
const shortCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const isInternational = /^\(?(?:\+|00)/;

/** The zero that is dialled within a country only, as in +49 (0)30. */
const innerZero = /\(0\)/g;

/** Digits of the shortest number: fewer are words like all others. */
const fewest = 6;
const fewestNational = 5;

/** What only stands in numbers that are typed for people to read. */
export const phoneWord = /^[+\p{Nd}()./-]+$/u;

/**
 * Texts of which one occurs in the search text of a record with this number: it holds each number as digits alone, behind a
 * space. Empty for what has too few digits.
 */
export function phoneForms(text: string): readonly string[] {
  const digits = digitsIn(text);
  if (digits.length < fewest) return [];
  if (isInternational.test(text)) return internationalForms(digitsIn(text.replace(innerZero, '')).replace(/^00/, ''));
  // In North America people put the code before the number without a plus.
  const national = digits.length === 11 && digits.startsWith('1') ? [` ${digits.slice(1)}`] : [];
  return [digits.replace(/^0/, ''), ...national];
}

/** With its code, and as it is dialled within its country, where a zero may go before it. */
function internationalForms(digits: string): readonly string[] {
  const codeLength = shortCodes.exec(digits)?.[0].length ?? 3;
  const [code, national] = [digits.slice(0, codeLength), digits.slice(codeLength)];
  if (national.length < fewestNational) return [digits];
  return [digits, `${code}0${national}`, ` 0${national}`, ` ${national}`];
}

function digitsIn(text: string): string {
  return text.replace(/\P{Nd}/gu, '');
}
