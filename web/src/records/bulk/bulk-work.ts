/** One change of many records: tried as a dry run, written once, and followed if it runs in the background. */
import { KithError, type BulkUpdateBody } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import type { List } from '../use-list.ts';
import type { Marks } from '../use-marks.ts';

export type Chosen =
  | { readonly record_ids: readonly string[] }
  | { readonly filters: NonNullable<BulkUpdateBody['filters']>; readonly expected_count: number };

export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

export interface Outcome {
  readonly changed: number;
  readonly failed: number;
  readonly errors: readonly Refusal[];
}

interface Answer {
  readonly updated?: number;
  readonly processed?: number;
  readonly removed?: number;
  readonly deleted?: number;
  readonly failed?: number;
  readonly errors?: readonly Refusal[];
  readonly job_id?: string;
  readonly total: number;
}

/** Most ids per request. */
export const mostIds = 10_000;
const lookMs = 700;

/** The selection as the service takes it: ids, or the filter with the count that the reader saw. */
export async function chosenIn(list: List, marks: Marks, total: number, tooMany: TooMany): Promise<Chosen> {
  // A bulk change by filter cannot take a search text.
  if (!marks.isAll || list.query.search) return { record_ids: await idsOf(list, marks, mostIds, tooMany) };
  return { filters: list.query.filters ?? { type: 'AND', conditions: [] }, expected_count: total };
}

/** Returns the message for a selection that is too large. */
type TooMany = (most: number) => string;

/** The ids of the selection. Throws if there are more than `most`: a reader who sees a count means all of them. */
export async function idsOf(list: List, marks: Marks, most: number, tooMany: TooMany): Promise<string[]> {
  if (!marks.isAll) return [...marks.ids];
  const ids: string[] = [];
  for await (const { id } of kith.records.listAll(list.object.name, { ...list.query, fields: 'id', limit: 100 })) {
    ids.push(id);
    if (ids.length > most) throw new Error(tooMany(most));
  }
  return ids;
}

/** Does a dry run; a large change by filter is only counted. */
export async function tried(body: BulkUpdateBody): Promise<Outcome> {
  return outcomeOf(await kith.bulk.update(body, { dryRun: true }));
}

/** The outcome of an answer; waits for its job if it has one. */
export async function followed(answer: unknown, onProgress: (done: number) => void): Promise<Outcome> {
  const { job_id: job } = answer as Answer;
  if (job === undefined) return outcomeOf(answer as Answer);
  for (;;) {
    const { status, done, outcome, error } = await kith.jobs.get(job);
    onProgress(done);
    if (status.startsWith('completed') || status === 'cancelled') return outcomeOf(outcome);
    if (status === 'failed') throw new Error(error ?? status);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

function outcomeOf({
  updated,
  processed,
  removed,
  deleted,
  failed = 0,
  errors = [],
  job_id: job,
  total,
}: Answer): Outcome {
  const changed = job === undefined ? (updated ?? processed ?? removed ?? deleted ?? 0) : total;
  return { changed, failed, errors };
}

/** Whether the service answered that the number of matching records has changed. */
export function isOtherCount(error: unknown): boolean {
  return error instanceof KithError && error.code === 'CONFLICT';
}
