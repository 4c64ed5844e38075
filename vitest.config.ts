import { defineConfig } from 'vitest/config';

const deep = process.env.KITH_DEEP === '1';
const report = process.env.KITH_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'forks',
    // For two cores: a third of its time, a test waits for another process.
    maxWorkers: 3,
    testTimeout: deep ? 1_800_000 : 30_000,
    hookTimeout: 60_000,
    reporters: [
      'default',
      './test/support/skipped-reporter.ts',
      ...(report ? [['json', { outputFile: report }] as const] : []),
    ],
  },
});
