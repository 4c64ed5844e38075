import { configDefaults, defineConfig } from 'vitest/config';
import { longTests } from './test/support/long-tests.ts';

const deep = process.env.KITH_DEEP === '1';
const report = process.env.KITH_TEST_REPORT;
const isNamed = process.argv.slice(2).some((word) => word.startsWith('test/'));
/** All files: where it is asked for, and where files are named. */
const isWhole = deep || isNamed || process.env.KITH_TEST_ALL === '1';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isWhole ? [] : longTests)],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'forks',
    // For two cores: a third of its time, a test waits for another process.
    maxWorkers: 3,
    testTimeout: deep ? 1_800_000 : 30_000,
    hookTimeout: 60_000,
    // A machine that is shared has moments in which it does nothing; what passes then is named as unsteady.
    retry: process.env.CI === 'true' ? 1 : 0,
    reporters: [
      'default',
      ['./test/support/skipped-reporter.ts', { leftOut: isWhole ? [] : longTests }],
      ...(report ? [['json', { outputFile: report }] as const] : []),
    ],
  },
});
