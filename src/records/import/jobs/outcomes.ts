/** Combines the results of an import's parts. */
import type { PartOutcome } from '../executing/carry-out.ts';
import { reasonsOf, type Reason } from '../reasons.ts';
import type { Counts, MovedRow, Outcome } from './states.ts';

const mostMoved = 100;

/** Adds a part's results to the outcome so far. */
export function withPart(was: Outcome, part: PartOutcome, moved: readonly MovedRow[]): Outcome {
  const made: Record<string, number> = { ...was.made };
  for (const [object, count] of part.made) made[object] = (made[object] ?? 0) + count;
  return {
    created: was.created + part.created.length,
    updated: was.updated + part.updated.length,
    skipped: was.skipped + part.skipped.length,
    failed: was.failed + part.failed.length,
    duplicates: {
      existing: was.duplicates.existing + part.doubled + alreadyThere(part),
      refused: was.duplicates.refused + part.failed.filter(({ isDuplicate }) => isDuplicate).length,
    },
    warnings: was.warnings + part.warnings.length,
    made,
    problems: merged(was.problems, reasonsOf(part.failed.map(({ index, reason }) => ({ index, message: reason })))),
    notes: merged(was.notes, reasonsOf([...part.warnings, ...leftOutOf(part)])),
    moved: [...was.moved, ...moved].slice(0, mostMoved),
    fields: was.fields,
  };
}

/** The number of rows matched to existing records. */
function alreadyThere({ updated, skipped }: PartOutcome): number {
  return updated.length + skipped.filter(({ isThere }) => isThere).length;
}

/** Rows left out for a reason in the file. */
function leftOutOf({ skipped }: PartOutcome) {
  return skipped.flatMap(({ index, reason, isThere }) =>
    isThere ? [] : [{ index, message: `left out, since ${reason}` }],
  );
}

const mostReasons = 50;

function merged(before: readonly Reason[], more: readonly Reason[]): Reason[] {
  const all = new Map(before.map((reason) => [reason.message, reason]));
  for (const reason of more) {
    const known = all.get(reason.message);
    const values = (known?.values ?? 0) + (reason.values ?? 0);
    const example = known?.example ?? reason.example;
    all.set(reason.message, {
      message: reason.message,
      count: (known?.count ?? 0) + reason.count,
      first: known?.first ?? reason.first,
      rows: [...(known?.rows ?? []), ...reason.rows].slice(0, 5),
      ...(example !== undefined && { values, example }),
    });
  }
  return [...all.values()].toSorted((a, b) => b.count - a.count).slice(0, mostReasons);
}

/**
 * The result of each row of a part in short: a preview stores it, and the import is compared with it. `own` are the
 * rows that created records.
 */
export function fatesOf(
  part: PartOutcome,
  first: number,
  count: number,
  own: ReadonlyMap<string, number> = new Map(),
): string[] {
  const fates = new Array<string>(count).fill('failed');
  for (const { index } of part.created) fates[index - first] = 'created';
  for (const { index, id } of part.updated) fates[index - first] = `updated ${nameOfOwn(id, own) ?? id}`;
  for (const { index } of part.skipped) fates[index - first] = 'skipped';
  return fates;
}

/** The name in a preview of a record that a row creates, since its id is not stable; undefined for other records. */
export function nameOfOwn(id: string, own: ReadonlyMap<string, number>): string | undefined {
  const index = own.get(id);
  return index === undefined ? undefined : `row ${index + 1}`;
}

/** Whether the result is as planned; the id of a record created by another row does not count. */
function isAsPlanned(planned: string, now: string): boolean {
  return planned === now || (planned.startsWith('updated row ') && now.startsWith('updated '));
}

/** The rows whose results differ from the plan. */
export function movedAmong(planned: readonly string[] | null, fates: readonly string[], first: number): MovedRow[] {
  return fates.flatMap((now, at) => {
    const previewed = planned?.[at];
    return previewed === undefined || isAsPlanned(previewed, now) ? [] : [{ index: first + at, previewed, now }];
  });
}

/** The number of rows with a result. */
export function settledOf({ created, updated, skipped, failed }: Counts): number {
  return created + updated + skipped + failed;
}
