/** What a search asks for: words that all must occur, in any order, and phone numbers in whatever form. [spec: Search] */
import { errors } from '../errors.ts';
import { normalise } from '../fields/search-text.ts';
import { phoneForms, phoneWord } from './phone-forms.ts';

const maxQueryLength = 500;

/** A part of a search that a record has to have: all of the words, or one of the numbers. */
export interface SearchTerm {
  /** Empty where the numbers alone say what is meant. */
  readonly words: readonly string[];
  readonly numbers: readonly string[];
}

/** The parts of `query`, normalised; none where it has no words. Throws VALIDATION_ERROR with the `name` of one that is too long. */
export function searchTerms(query: string, name = 'search'): readonly SearchTerm[] {
  if (query.length > maxQueryLength) throw errors.validation(`${name} takes at most ${maxQueryLength} characters`);
  const terms = runsOf(wordsIn(query)).flatMap((run): SearchTerm[] => {
    const numbers = phoneWord.test(run[0] ?? '') ? phoneForms(run.join(' ')) : [];
    if (numbers.length === 0) return run.map((word) => ({ words: [word], numbers: [] }));
    // Two digits here and two there are in many records, and in no index.
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

/** Words that may be one phone number stand together; each other word by itself. */
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

/** Three letters or digits in a row, or two at the edge of a word: what the trigram index can look for. */
const trigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]{2}/u;

/** Whether the search index can find the word; else it would have to be read as a whole. */
export function hasTrigram(word: string): boolean {
  return trigram.test(word);
}

/** Whether no part of the search can be looked up, so that every row has to be looked at. */
export function looksAtEveryRow(terms: readonly SearchTerm[]): boolean {
  return terms.every(({ words, numbers }) => numbers.length === 0 && !words.some(hasTrigram));
}
