import { configDefaults, defineConfig } from 'vitest/config';
import { deepTests, longTests } from './test/support/long-tests.ts';

const deep = process.env.KITH_DEEP === '1';
const report = process.env.KITH_TEST_REPORT;
const isNamed = process.argv.slice(2).some((word) => word.startsWith('test/'));
const isAll = deep || isNamed;
/** Long files, too: where it is asked for. */
const isLong = isAll || process.env.KITH_TEST_ALL === '1';
const leftOut = [...(isAll ? [] : deepTests), ...(isLong ? [] : longTests)];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
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
      ['./test/support/skipped-reporter.ts', { leftOut }],
      ...(report ? [['json', { outputFile: report }] as const] : []),
    ],
  },
});
