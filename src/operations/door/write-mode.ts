/** How an effect comes about: plainly, as a trial that leaves nothing, or once for all requests with the same key. */
import type { Place, Workspace } from '../../access/workspace.ts';
import { inOneTransaction } from '../../access/one-transaction.ts';
import type { CarryOutOnce, OnceKey } from './idempotency.ts';
import type { Answer, Operation } from './operation.ts';

/** A dry run gives the same answer, and everything is undone. */
export type WriteMode = { readonly dryRun: true } | { readonly dryRun: false; readonly once: OnceKey };

/** Runs `work` in a workspace of that mode, its own unless one is given; `warnings` are those that it gives. */
export async function carryOut<Result extends Answer>(
  writeMode: WriteMode,
  { effect, changesModel }: Pick<Operation, 'effect' | 'changesModel'>,
  place: Place,
  once: CarryOutOnce,
  warnings: string[],
  work: (workspace?: Workspace) => Promise<Result>,
): Promise<Result> {
  if (writeMode.dryRun) return inOneTransaction(place, false, async ({ open }) => work(await open()));
  return once[effect === 'external' || changesModel ? 'outside' : 'inside'](writeMode.once, place, warnings, work);
}
