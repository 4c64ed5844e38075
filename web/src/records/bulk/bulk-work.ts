/** One change in many records: tried first, written once, and followed where the service does it by and by. */
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

/** So many ids go in one request. */
export const mostIds = 10_000;
const lookMs = 700;

/** What is selected, as the service takes it: ids, or the filter itself with the count that was seen. */
export async function chosenIn(list: List, marks: Marks, total: number, tooMany: TooMany): Promise<Chosen> {
  // A change by filter takes no words to search for.
  if (!marks.isAll || list.query.search) return { record_ids: await idsOf(list, marks, mostIds, tooMany) };
  return { filters: list.query.filters ?? { type: 'AND', conditions: [] }, expected_count: total };
}

/** Says that only so many are taken at once. */
type TooMany = (most: number) => string;

/** The ids of what is selected. Throws where there are more than `most`: whoever sees a count means all of it. */
export async function idsOf(list: List, marks: Marks, most: number, tooMany: TooMany): Promise<string[]> {
  if (!marks.isAll) return [...marks.ids];
  const ids: string[] = [];
  for await (const { id } of kith.records.listAll(list.object.name, { ...list.query, fields: 'id', limit: 100 })) {
    ids.push(id);
    if (ids.length > most) throw new Error(tooMany(most));
  }
  return ids;
}

/** What the change would do; a large one by filter is only counted. */
export async function tried(body: BulkUpdateBody): Promise<Outcome> {
  return outcomeOf(await kith.bulk.update(body, { dryRun: true }));
}

/** What came of the answer, waiting for its job where it is one. */
export async function followed(answer: unknown, tell: (done: number) => void): Promise<Outcome> {
  const { job_id: job } = answer as Answer;
  if (job === undefined) return outcomeOf(answer as Answer);
  for (;;) {
    const { status, done, outcome, error } = await kith.jobs.get(job);
    tell(done);
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

/** Whether the service said that another number matches by now. */
export function isOtherCount(error: unknown): boolean {
  return error instanceof KithError && error.code === 'CONFLICT';
}
