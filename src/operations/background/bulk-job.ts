/** The job that changes all matching records in steps, in the name of the user who requested it. */
import { Type, type Static } from 'typebox';
import type { Call } from '../../access/call.ts';
import { defineJob, type Job, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { newId } from '../../lib/id.ts';
import type { Json } from '../../lib/json.ts';
import { planIds } from '../../query/plan-ids.ts';
import { changeMany } from '../../records/writing/change-many.ts';
import { BulkChangeInput, bulkChange, bulkObject } from '../records/bulk-change.ts';
import { nothingYet, Tally, tallied } from '../records/bulk-outcome.ts';
import { filtersOf } from '../records/filter-input.ts';
import { defineOperation, type Operation } from '../door/operation.ts';
import { askedBy, asking, noInput, performStep, type StepParts } from './steps.ts';

export const bulkKind = 'bulk';

/** The job's input: the change, and the filters that its records match. */
export const BulkJobInput = Type.Object({
  ...BulkChangeInput,
  filters: Type.Unknown(),
  expected_count: Type.Integer(),
  /** The last record id to change; later records are left alone. */
  until: Type.String(),
  ...asking,
});
export type BulkJobInput = Static<typeof BulkJobInput>;

const BulkProgress = Type.Object({
  ...Tally.properties,
  seen: Type.Integer(),
  after: Type.Optional(Type.String()),
  /** Whether the job was cancelled before its end. */
  isCancelled: Type.Optional(Type.Boolean()),
});
type BulkProgress = Static<typeof BulkProgress>;

/** The progress of such a job. */
export function bulkProgress(progress: Json): BulkProgress {
  // Typed by the last step, which wrote it.
  return (progress as BulkProgress | null) ?? { ...nothingYet, seen: 0 };
}

const recordsAStep = 1_000;

/** The job for the records that exist now, in the caller's name. */
export function bulkJob(
  call: Call,
  asked: Omit<BulkJobInput, 'until' | keyof typeof asking>,
): WantedJob & { readonly id: string } {
  const { caller, jobId, now } = call;
  return {
    id: jobId,
    kind: bulkKind,
    input: { ...asked, until: newId(now), ...askedBy(call) } as Json,
    inNameOf: { workspaceUserId: caller.workspaceUserId, tokenId: caller.tokenId },
  };
}

/** The job kind: each step is a transaction that stores its progress with its changes. */
export function changingMatching(parts: StepParts): JobKind {
  return defineJob({
    kind: bulkKind,
    input: BulkJobInput,
    async run(job, signal) {
      let progress = bulkProgress(job.progress);
      for (let isOver = false; !isOver; signal.throwIfAborted()) {
        ({ progress, isOver } = await performStep(parts, job, stepOf(job, progress), signal));
      }
    },
  });
}

interface Step {
  readonly progress: BulkProgress;
  readonly isOver: boolean;
}

function stepOf({ input, checkpoint }: Job<BulkJobInput>, was: BulkProgress): Operation<typeof noInput, Step> {
  return defineOperation({
    id: 'bulk.update',
    summary: 'One step of a bulk change',
    input: noInput,
    output: Type.Object({}),
    effect: 'destructive',
    cost: 'long',
    async run(call) {
      const object = bulkObject(call, input);
      const where = filtersOf({ filters: input.filters });
      // Never more than were counted, even if more records match by now.
      const most = Math.min(recordsAStep, input.expected_count - was.seen);
      const change = await bulkChange(call, object, input, input.expected_count, most);
      const plan = planIds(call, object, where, { most, after: was.after, until: input.until });
      return call.workspace.transaction(async (tx) => {
        const ids = plan.read((await tx.run(plan.statement)).rows);
        const outcome = await changeMany(call, tx, object, change, ids, where);
        const after = ids.at(-1) ?? was.after;
        const seen = was.seen + ids.length;
        const progress = {
          ...tallied(object, was, input.action, outcome, ids),
          seen,
          ...(after !== undefined && { after }),
        };
        await checkpoint(tx, progress);
        return { progress, isOver: ids.length < recordsAStep || seen >= input.expected_count };
      });
    },
  });
}
