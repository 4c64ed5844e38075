/**
 * Names each test that was skipped, with its reason, each that passed only when it was run again, and each file that was left
 * out: nothing is missing in silence.
 */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export default class SkippedReporter implements Reporter {
  readonly #leftOut: readonly string[];

  constructor({ leftOut }: { readonly leftOut: readonly string[] }) {
    this.#leftOut = leftOut;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
        console.log(`skipped: ${relative('.', module.moduleId)} > ${test.fullName}${reason}`);
      }
    }
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        if (test.diagnostic()?.flaky) console.log(`unsteady: ${relative('.', module.moduleId)} > ${test.fullName}`);
      }
    }
    if (this.#leftOut.length === 0) return;
    console.log(`left out, since they take long (npm run test:deep runs them all, KITH_TEST_ALL=1 those of .ci/run):`);
    for (const file of this.#leftOut) console.log(`  ${file}`);
  }
}
