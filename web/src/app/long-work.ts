/** Background work that continues after its request was answered; it is remembered over reloads and pages until its end was announced. */
import type { JobsListItem } from '../../../client/index.js';
import { KithError } from '../../../client/index.js';
import { kith, speaksFor } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { remember, remembered } from './remembered.ts';

/** A job or an import, by id. */
export interface LongWork {
  readonly kind: 'bulk' | 'import';
  readonly id: string;
  /** The change set of its writes; for a bulk change, that is the id of its job. */
  readonly set?: string;
  /** It was not started in this browser, only noticed by its changes, and may be work of another kind. */
  readonly isHeard?: boolean;
}

/** Stored per user, since others may use this browser. */
const storedAt = () => `kith-long-work-${speaksFor() ?? ''}`;
const toldAt = () => `kith-told-work-${speaksFor() ?? ''}`;
/** Events of work may arrive after its end; the ids of this many finished works are kept, so that none is announced twice. */
const mostTold = 20;

/** The background work that an answer refers to, if any. */
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

/** Shows it on every page until its end, which is announced. */
export function followWork(work: LongWork): void {
  keep([...known(), work]);
  void queries.invalidateQueries({ queryKey: keys.jobs });
}

/** Follows the work that writes this change set, wherever it was started. */
export function hearOf(set: string): void {
  const isKnown = known().some((work) => work.id === set || work.set === set);
  if (!isKnown && !kept(toldAt()).includes(set)) followWork({ kind: 'bulk', id: set, isHeard: true });
}

/** Stops showing it. */
export function forgetWork({ id, set = id }: LongWork): void {
  keepTold([set]);
  keep(known().filter((work) => work.id !== id));
  void queries.invalidateQueries({ queryKey: keys.jobs });
}

/** The followed work that is not in `going`, so it has ended; each is returned once. */
export function over(going: readonly LongWork[]): readonly LongWork[] {
  const ids = new Set(going.flatMap(({ id, set = id }) => [id, set]));
  const gone = known().filter(({ id }) => !ids.has(id));
  keep(going);
  if (gone.length > 0) keepTold(gone.map(({ id, set = id }) => set));
  return gone;
}

/** Stops it; what it has changed stays. Does nothing if it has ended. */
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

/** The stored list. */
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
