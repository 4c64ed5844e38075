import { expect } from 'vitest';
import { demoCounts } from '../demo/demo-counts.ts';
import type { Stage } from './stage.ts';

/** Resolves when all of the demo is there: what is counted then changes by the test alone. */
export async function demoIsFilled({ kith }: Stage): Promise<void> {
  const unfilled = async () => (await demoCounts(kith.database.database)).unfilled;
  await expect.poll(unfilled, { timeout: 200_000, interval: 250 }).toBe(0);
}
