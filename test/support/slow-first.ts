/** Files that take long begin first, so that no process is left alone with one at the end. */
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { deepTests, longTests } from './long-tests.ts';

const slow = [...deepTests, ...longTests];
const isSlow = ({ moduleId }: TestSpecification) => slow.some((file) => moduleId.endsWith(`/${file}`));

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not that of an array
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
