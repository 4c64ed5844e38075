/** `npm test` names what it leaves out, and all of it is there. */
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root, textOf } from './project-files.ts';
import { deepTests, longTests } from '../support/long-tests.ts';

it('leaves out only files that there are; .ci/run has those that take long', () => {
  const files = new Set(globSync('test/**/*.test.ts', { cwd: root }));
  expect([...longTests, ...deepTests].filter((file) => !files.has(file))).toEqual([]);
  expect(longTests.filter((file) => deepTests.includes(file))).toEqual([]);
  expect(longTests.length).toBeLessThan(files.size / 3);
  expect(textOf('.ci/run')).toMatch(/^export KITH_TEST_ALL=1/m);
});
