import { demoCounts } from '../demo/demo-counts.ts';
import type { Stage } from './stage.ts';

/** Resolves when all of the demo is there: what is counted then changes by the test alone. */
export async function demoIsFilled({ kith }: Stage): Promise<void> {
  while ((await demoCounts(kith.database.database)).unfilled > 0) await fetch(`${kith.url}/health/ready`);
}
