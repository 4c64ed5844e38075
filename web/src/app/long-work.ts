/** Work that goes on after its request was answered: what of it is not told of yet is remembered, over reloads and other pages. */
import type { JobsListItem } from '../../../client/index.js';
import { KithError } from '../../../client/index.js';
import { kith, speaksFor } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { remember, remembered } from './remembered.ts';

/** A job by its id; an import by its own. */
export interface LongWork {
  readonly kind: 'bulk' | 'import';
  readonly id: string;
  /** The change set of what it changes: that of a bulk change has the id of its job. */
  readonly set?: string;
  /** Nobody has begun it in this browser: it is known by what it changed, and may be work of another kind. */
  readonly isHeard?: boolean;
}

/** Somebody else may use this browser meanwhile. */
const storedAt = () => `kith-long-work-${speaksFor() ?? ''}`;
const toldAt = () => `kith-told-work-${speaksFor() ?? ''}`;
/** The events of work may come after its end: of so much that is over it is known that it was told. */
const mostTold = 20;

/** The work that an answer says has only begun. */
export function longWorkIn(answer: unknown): LongWork | undefined {
  if (typeof answer !== 'object' || answer === null || !('status' in answer) || answer.status !== 'queued')
    return undefined;
  if ('import_job_id' in answer) return { kind: 'import', id: String(answer.import_job_id) };
  return 'job_id' in answer ? { kind: 'bulk', id: String(answer.job_id) } : undefined;
}

/** The work of a job that goes on. */
export function workOf({ kind, id, import_job_id: importId, change_set: set }: JobsListItem): LongWork {
  return { kind, id: importId ?? id, set };
}

/** Has it shown wherever the reader goes, and its end told. */
export function followWork(work: LongWork): void {
  keep([...known(), work]);
  void queries.invalidateQueries({ queryKey: keys.jobs });
}

/** Follows the work that makes these changes, wherever it was begun. */
export function hearOf(set: string): void {
  const isKnown = known().some((work) => work.id === set || work.set === set);
  if (!isKnown && !kept(toldAt()).includes(set)) followWork({ kind: 'bulk', id: set, isHeard: true });
}

/** Has nothing more told of it. */
export function forgetWork({ id, set = id }: LongWork): void {
  keepTold([set]);
  keep(known().filter((work) => work.id !== id));
  void queries.invalidateQueries({ queryKey: keys.jobs });
}

/** What of the work that was known is over, where this is what goes on: each is given once. */
export function over(going: readonly LongWork[]): readonly LongWork[] {
  const ids = new Set(going.flatMap(({ id, set = id }) => [id, set]));
  const gone = known().filter(({ id }) => !ids.has(id));
  keep(going);
  if (gone.length > 0) keepTold(gone.map(({ id, set = id }) => set));
  return gone;
}

/** Ends it where it is: what it has changed stays. Of what is over there is nothing to end. */
export async function stopWork({ kind, id }: LongWork): Promise<void> {
  try {
    await (kind === 'bulk' ? kith.jobs.cancel(id) : kith.imports.cancel(id));
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'CONFLICT') throw error;
  }
}

function known(): readonly LongWork[] {
  return kept(storedAt()) as readonly LongWork[];
}

/** The list that is kept there. */
function kept(at: string): readonly unknown[] {
  try {
    const found: unknown = JSON.parse(remembered(at) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function keep(works: readonly LongWork[]): void {
  const all = new Map(works.map((work) => [work.id, work]));
  remember(storedAt(), all.size > 0 ? JSON.stringify([...all.values()]) : undefined);
}

function keepTold(sets: readonly string[]): void {
  remember(toldAt(), JSON.stringify([...sets, ...kept(toldAt())].slice(0, mostTold)));
}
