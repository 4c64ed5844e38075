/** Random values for the demo, from a fixed seed. */
import type { Faker } from '@faker-js/faker';
import { faker as german } from '@faker-js/faker/locale/de';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as french } from '@faker-js/faker/locale/fr';

const speakers = { en: english, de: german, fr: french };
const seed = 20_260_105;

export type Language = keyof typeof speakers;

/** Restarts the sequence. Each `part` has its own, so that one more company does not change the deals. */
export function shuffle(part: number): void {
  for (const faker of Object.values(speakers)) faker.seed(seed + part);
}

/** Makes names and streets of a language. */
export function speaker(language: Language): Faker {
  return speakers[language];
}

/** True with the probability `share`, from 0 to 1. */
export function happens(share: number): boolean {
  return english.number.float() < share;
}

/** A whole number, both ends included. */
export function between(min: number, max: number): number {
  return english.number.int({ min, max });
}

/** One of the values. */
export function oneOf<T>(values: readonly T[]): T {
  return english.helpers.arrayElement(values);
}

/** All values in random order. */
export function mixed<T>(values: readonly T[]): T[] {
  return english.helpers.shuffle(values);
}

/** A log-normal number: half of them are below `median`, two thirds within a factor of e^`spread`. */
export function longTail(median: number, spread: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - english.number.float({ max: 0.999_999 })));
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * english.number.float()));
}

/** Draws indexes of `weights` in proportion. */
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
