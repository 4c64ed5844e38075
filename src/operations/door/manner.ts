/** How a write is carried out: plainly, as a trial that leaves nothing, or once for all requests with the same key. */
import type { Place, Workspace } from '../../access/workspace.ts';
import { inOneTransaction } from '../../access/one-transaction.ts';
import type { CarryOutOnce, OnceKey } from './idempotency.ts';
import type { Answer } from './operation.ts';

/** A dry run gives the same answer, and everything is undone. */
export type Manner = { readonly dryRun: true } | { readonly dryRun: false; readonly once: OnceKey };

/** Runs `work` in a workspace of that manner; `warnings` are those that it gives. */
export async function carryOut<Result extends Answer>(
  manner: Manner,
  place: Place,
  carryOutOnce: CarryOutOnce,
  warnings: string[],
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  if (manner.dryRun) return inOneTransaction(place, false, async ({ open }) => work(await open()));
  return carryOutOnce(manner.once, place, warnings, work);
}
