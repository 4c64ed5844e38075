/** What fails in a generated world is made small. */
import { expect, it } from 'vitest';
import { noting, randomFrom, repeating, type Random } from './random.ts';
import { shrunk } from './shrink.ts';

/** A question as generators draw one: a list of words, of lengths that come before them. */
function words(random: Random): string[] {
  return Array.from({ length: random.below(20) }, () => random.pick(['a', 'b', 'c', 'wrong', 'd', 'e']));
}

it('to the things and the choices without which it does not fail', async () => {
  const choices: number[] = [];
  const random = noting(randomFrom(3), choices);
  while (!words(random).includes('wrong')) choices.length = 0;
  const things = Array.from({ length: 150 }, (_, index) => index);
  let plays = 0;
  const small = await shrunk({ things, choices }, async (smaller) => {
    plays++;
    return (
      smaller.things.includes(77) && smaller.things.includes(5) && words(repeating(smaller.choices)).includes('wrong')
    );
  });
  expect(small.things).toEqual([5, 77]);
  expect(words(repeating(small.choices))).toContain('wrong');
  expect(small.choices.length).toBeLessThanOrEqual(choices.length);
  expect(small.choices.filter((choice) => choice !== 0).length).toBeLessThanOrEqual(2);
  expect(plays).toBeLessThanOrEqual(300);
});

it('not to a case that does not fail', async () => {
  const found = { things: [1, 2, 3], choices: [0.5, 0.25] };
  expect(await shrunk(found, async () => false)).toEqual(found);
});

it('the choices made again are the same question', () => {
  const choices: number[] = [];
  const drawn = words(noting(randomFrom(9), choices));
  expect(words(repeating(choices))).toEqual(drawn);
});
