/**
 * Suggests the name that a caller probably meant. A suggestion compares all names, so a request gets at most five,
 * wherever its mistakes are: `forOneRequest` counts them without a parameter. Every operation runs inside it;
 * commands that end with their first mistake need not.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const mostSuggestions = 5;
/** In characters: longer names are no typing errors. */
const longestName = 64;
/** In edits. */
const furthest = 6;
const mostCompared = 5_000;

const suggestions = new AsyncLocalStorage<{ left: number }>();

/** Runs the work of one request, in which `didYouMean` suggests names for the first five mistakes only. */
export function forOneRequest<T>(work: () => T): T {
  return suggestions.run({ left: mostSuggestions }, work);
}

/**
 * Runs work that only tests whether names are known: its mistakes are not reported, and use none of the request's
 * suggestions.
 */
export function withoutSuggestions<T>(work: () => T): T {
  return suggestions.run({ left: 0 }, work);
}

/** The end of a sentence: ` (did you mean "limit"?)`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const budget = suggestions.getStore();
  if (budget && budget.left-- <= 0) return '';
  const found = nearest(name, candidates);
  return found === undefined ? '' : ` (did you mean "${found}"?)`;
}

/**
 * The candidate within a third of its length in edits of `name`, else the first that begins with `name`, or
 * undefined.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  let longer: string | undefined;
  let compared = 0;
  const wanted = name.toLowerCase();
  for (const candidate of candidates) {
    if (++compared > mostCompared) break;
    const known = candidate.toLowerCase();
    const limit = Math.min(bestDistance - 1, furthest, Math.max(1, Math.floor(known.length / 3)));
    const distance = editDistance(wanted, known, limit);
    if (distance <= limit) {
      best = candidate;
      bestDistance = distance;
    }
    if (wanted.length > 1 && known.startsWith(wanted)) longer ??= candidate;
  }
  return best ?? longer;
}

/**
 * The edits between `a` and `b` up to `limit`, else any larger number. Edits add, remove or replace a letter, or swap
 * two neighbours. Computes only the cells within the limit.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  let before = previous;
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(limit + 1);
    row[0] = i;
    let least = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swaps ? before[j - 2]! + 1 : Infinity;
      const cost = Math.min(substitution, previous[j]! + 1, row[j - 1]! + 1, swap);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
