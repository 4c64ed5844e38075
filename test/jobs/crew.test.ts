/** [docs: operating] How many jobs a process carries out at a time, and of whom. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createCrew } from '../../src/jobs/crew.ts';

it('two looks at once promise an organization no more places than one of them may have', () => {
  const crew = createCrew(systemClock, 3, 2);
  const first = crew.reserve('one');
  expect([first.room, crew.room(), crew.full()]).toEqual([2, 1, ['one']]);
  const second = crew.reserve('one');
  expect(second.room).toBe(0);
  expect(crew.reserve('another').room).toBe(1);
  expect(crew.room()).toBe(0);
  second.release();
  first.release();
  expect([crew.reserve('one').room, crew.room()]).toEqual([2, 0]);
});
