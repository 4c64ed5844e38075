import { configDefaults, defineConfig } from 'vitest/config';
import { apart } from './test/support/apart.ts';
import { deepTests, longTests } from './test/support/long-tests.ts';
import { SlowFirst } from './test/support/slow-first.ts';

const words = process.argv.slice(2);
const deep = process.env.KITH_DEEP === '1';
const report = process.env.KITH_TEST_REPORT;
const isAll = deep || words.some((word) => word.startsWith('test/'));
/** Long files, too: where it is asked for. */
const isLong = isAll || process.env.KITH_TEST_ALL === '1';
const leftOut = [...(isAll ? [] : deepTests), ...(isLong ? [] : longTests)];
/** Vitest itself heeds `--exclude` for the tests outside of projects alone. */
const option = '--exclude=';
const excluded = words.filter((word) => word.startsWith(option)).map((word) => word.slice(option.length));
const exclude = [...configDefaults.exclude, ...leftOut, ...excluded];

/** Tests of the web application. */
const browsers = 'test/web/*.test.ts';

const common = {
  pool: 'forks',
  testTimeout: deep ? 1_800_000 : 30_000,
  hookTimeout: 120_000,
  // A machine that is shared has moments in which it does nothing; what passes then is named as unsteady.
  retry: process.env.CI === 'true' ? 1 : 0,
} as const;

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    // Most files share a few processes, one after another: modules are loaded once in each.
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...apart, browsers],
        },
      },
      { test: { ...common, name: 'apart', include: [...apart], exclude } },
      // A service with its demo and a browser for each file: they begin slowly where both cores are busy.
      { test: { ...common, name: 'web', testTimeout: 120_000, hookTimeout: 300_000, include: [browsers], exclude } },
    ],
    // For two cores: a third of its time, a test waits for another process.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: [
      'default',
      ['./test/support/skipped-reporter.ts', { leftOut }],
      ...(report ? [['json', { outputFile: report }] as const] : []),
    ],
  },
});
