/** Names each test that was skipped, with its reason, so that nothing is left out in silence. */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
        console.log(`skipped: ${relative('.', module.moduleId)} > ${test.fullName}${reason}`);
      }
    }
  }
}
