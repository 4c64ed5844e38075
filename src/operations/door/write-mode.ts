/** How a write is carried out: plainly, as a dry run, or once per idempotency key. */
import type { StatementScope, Workspace } from '../../access/workspace.ts';
import { inOneTransaction } from '../../access/one-transaction.ts';
import type { CarryOutOnce, OnceKey } from './idempotency.ts';
import type { Answer, Operation } from './operation.ts';

/** A dry run gives the same answer, and everything is rolled back. */
export type WriteMode = { readonly dryRun: true } | { readonly dryRun: false; readonly once: OnceKey };

/** Runs `work` in a workspace for the write mode, or without one in the caller's own; `warnings` are collected into the stored answer. */
export async function carryOut<Result extends Answer>(
  writeMode: WriteMode,
  { effect, changesModel }: Pick<Operation, 'effect' | 'changesModel'>,
  place: StatementScope,
  once: CarryOutOnce,
  warnings: string[],
  work: (workspace?: Workspace) => Promise<Result>,
): Promise<Result> {
  if (writeMode.dryRun) return inOneTransaction(place, false, async ({ open }) => work(await open()));
  return once[effect === 'external' || changesModel ? 'outside' : 'inside'](writeMode.once, place, warnings, work);
}
