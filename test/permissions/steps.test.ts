/** What fails in a random world is told with the steps without which it does not fail. */
import { expect, it } from 'vitest';
import { playSteps } from './steps.ts';

it('of a failing world only the steps that it takes are told', async () => {
  const play = async (seed: number, steps: readonly { readonly number: number }[]) => {
    const numbers = steps.map(({ number }) => number);
    if (numbers.includes(7) && numbers.includes(77)) expect(numbers.length, `seed ${seed}`).toBe(0);
    if (numbers.length < 2) throw new Error('another failure');
  };
  await expect(playSteps('a test', 5, 100, play)).rejects.toThrow('{"of":"a test","seed":5,"steps":[7,77]}');
});

it('a step is the same one, whichever others there are', async () => {
  const drawn = new Map<number, number>();
  const play = async (_seed: number, steps: Parameters<Parameters<typeof playSteps>[3]>[1]) => {
    for (const { number, random } of steps) {
      const value = random.fraction();
      expect(drawn.get(number) ?? value).toBe(value);
      drawn.set(number, value);
    }
    if (steps.some(({ number }) => number === 3)) throw new Error('the third');
  };
  await expect(playSteps('a test', 9, 20, play)).rejects.toThrow('"steps":[3]');
  expect(new Set(drawn.values()).size).toBe(20);
});
