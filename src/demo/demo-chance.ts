/** Chance for the demo: seeded, so that it falls the same way each time. */
import type { Faker } from '@faker-js/faker';
import { faker as german } from '@faker-js/faker/locale/de';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as french } from '@faker-js/faker/locale/fr';

const speakers = { en: english, de: german, fr: french };
const seed = 20_260_105;

export type Language = keyof typeof speakers;

/** Begins anew; every `part` has its own course, so that one more company changes no deal. */
export function shuffle(part: number): void {
  for (const faker of Object.values(speakers)) faker.seed(seed + part);
}

/** Makes names and streets of a language. */
export function speaker(language: Language): Faker {
  return speakers[language];
}

/** True in `share` of the cases, 0 to 1. */
export function happens(share: number): boolean {
  return english.number.float() < share;
}

/** A whole number, both ends included. */
export function between(min: number, max: number): number {
  return english.number.int({ min, max });
}

/** One of the values; the same in each demo, since chance begins with the same seed. */
export function oneOf<T>(values: readonly T[]): T {
  return english.helpers.arrayElement(values);
}

/** All of them, in another order. */
export function mixed<T>(values: readonly T[]): T[] {
  return english.helpers.shuffle(values);
}

/** Half of what comes out is below `median`; two thirds lie within a factor of e^`spread`. */
export function longTail(median: number, spread: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - english.number.float({ max: 0.999_999 })));
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * english.number.float()));
}

/** Draws places of `weights`, each as often as its weight has it. */
export function lottery(weights: readonly number[]): () => number {
  let total = 0;
  const ends = weights.map((weight) => (total += weight));
  return () => {
    const at = english.number.float({ max: total });
    const found = ends.findIndex((end) => at < end);
    return found < 0 ? weights.length - 1 : found;
  };
}

/** `pattern` with a digit for each `#`. */
export function digits(pattern: string): string {
  return pattern.replaceAll('#', () => String(between(0, 9)));
}
