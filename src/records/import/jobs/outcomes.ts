/** What became of the rows of an import, part by part, put together. */
import type { PartOutcome } from '../executing/carry-out.ts';
import { reasonsOf, type Reason } from '../reasons.ts';
import type { Counts, Moved, Outcome } from './states.ts';

const mostMoved = 100;

/** What was there, and what a part adds to it. */
export function withPart(was: Outcome, part: PartOutcome, moved: readonly Moved[]): Outcome {
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

/** Rows that were taken for records that are there. */
function alreadyThere({ updated, skipped }: PartOutcome): number {
  return updated.length + skipped.filter(({ isThere }) => isThere).length;
}

/** Rows that are left out for a reason of the file's own. */
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

/** What became of each of a part's rows, in few words: what a preview promises and an import is held to. `own` are the rows that made records. */
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

/** What a preview calls a record that a row of the file makes: it gets its id later. */
export function nameOfOwn(id: string, own: ReadonlyMap<string, number>): string | undefined {
  const index = own.get(id);
  return index === undefined ? undefined : `row ${index + 1}`;
}

/** Which record the row was to change that is made by another row, that one's id does not tell. */
function isAsPlanned(planned: string, now: string): boolean {
  return planned === now || (planned.startsWith('updated row ') && now.startsWith('updated '));
}

/** The rows whose fates are others than were planned. */
export function movedAmong(planned: readonly string[] | null, fates: readonly string[], first: number): Moved[] {
  return fates.flatMap((now, at) => {
    const previewed = planned?.[at];
    return previewed === undefined || isAsPlanned(previewed, now) ? [] : [{ index: first + at, previewed, now }];
  });
}

/** How many rows have a fate. */
export function settledOf({ created, updated, skipped, failed }: Counts): number {
  return created + updated + skipped + failed;
}
