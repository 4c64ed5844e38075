/** Parses a search: words that must all occur, in any order, and phone numbers in any form. [spec: Search] */
import { errors } from '../errors.ts';
import { normalise } from '../fields/search-text.ts';
import { phoneForms, phoneWord } from './phone-forms.ts';

const maxQueryLength = 500;

/** A required part of a search: all of the words, or one of the numbers. */
export interface SearchTerm {
  /** Empty where the numbers alone identify the records. */
  readonly words: readonly string[];
  readonly numbers: readonly string[];
}

/**
 * The normalised parts of `query`; empty without words. Throws VALIDATION_ERROR, naming the parameter `name`, when it
 * is too long.
 */
export function searchTerms(query: string, name = 'search'): readonly SearchTerm[] {
  if (query.length > maxQueryLength) throw errors.validation(`${name} takes at most ${maxQueryLength} characters`);
  const terms = runsOf(wordsIn(query)).flatMap((run): SearchTerm[] => {
    const numbers = phoneWord.test(run[0] ?? '') ? phoneForms(run.join(' ')) : [];
    if (numbers.length === 0) return run.map((word) => ({ words: [word], numbers: [] }));
    // Scattered pairs of digits are in many records and in no index.
    const isToldByNumbers =
      !run.some(hasTrigram) || (run.length === 1 && numbers.some((form) => run[0]?.includes(form)));
    return [{ words: isToldByNumbers ? [] : run, numbers }];
  });
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

/** The words of a text, normalised. */
export function wordsIn(text: string): readonly string[] {
  return normalise(text)
    .split(' ')
    .filter((word) => word !== '');
}

/** Groups words that may form one phone number; other words stay single. */
function runsOf(words: readonly string[]): readonly string[][] {
  const runs: string[][] = [];
  let isPhone = false;
  for (const word of words) {
    const continues = isPhone && phoneWord.test(word) && !/^(?:\+|00)/.test(word);
    isPhone = phoneWord.test(word);
    if (continues) runs.at(-1)?.push(word);
    else runs.push([word]);
  }
  return runs;
}

/** Three letters or digits in a row, or two at a word's edge: what the trigram index can find. */
const trigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]{2}/u;

/** Whether the search index can find the word; otherwise the texts are read as a whole. */
export function hasTrigram(word: string): boolean {
  return trigram.test(word);
}

/** Whether the index covers no part of the search, so that every row has to be examined. */
export function looksAtEveryRow(terms: readonly SearchTerm[]): boolean {
  return terms.every(({ words, numbers }) => numbers.length === 0 && !words.some(hasTrigram));
}
