/** Executes an import part by part: each is written together with its results. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import { carryOut, type PartOutcome, type Prepared } from '../executing/carry-out.ts';
import type { TableRow } from '../reading/table.ts';
import { fatesOf, movedAmong, withPart } from './outcomes.ts';
import type { MovedRow, Outcome } from './states.ts';
import { updatePart, type StoredPart } from './table.ts';

class HeldBack extends Error {}

/**
 * Writes one part and stores its failed rows. With `holds`, a row whose result differs from the preview is not
 * written, but fails with that reason.
 */
export async function executePart(
  call: Call,
  tx: WorkspaceTransaction,
  importId: string,
  prepared: Prepared,
  part: StoredPart,
  was: Outcome,
  holds: boolean,
): Promise<{ readonly outcome: Outcome; readonly result: PartOutcome }> {
  const once = async (rows: readonly TableRow[]) => {
    const result = await carryOut(call, tx, prepared, rows, part.first);
    return { result, moved: movedAmong(part.planned, fatesOf(result, part.first, rows.length), part.first) };
  };
  let moved: readonly MovedRow[] = [];
  let result: PartOutcome | undefined;
  try {
    await tx.attempt(async () => {
      ({ result, moved } = await once(part.rows));
      if (holds && moved.some(({ now }) => now !== 'failed')) throw new HeldBack();
    });
  } catch (error) {
    if (!(error instanceof HeldBack)) throw error;
    ({ result } = await once(withoutMoved(part, moved)));
  }
  if (!result) throw new Error('A part was carried out without a result');
  const failed = result.failed.map(({ index, reason }) => [index - part.first, reason] as const);
  await updatePart(call, tx, importId, part.part, { failed });
  return { outcome: withPart(was, result, moved), result };
}

function withoutMoved(part: StoredPart, moved: readonly MovedRow[]): TableRow[] {
  const reasons = new Map(
    moved.map(({ index, previewed, now }) => [
      index - part.first,
      `the preview said ${previewed}, and now it would be ${now}: preview it again`,
    ]),
  );
  return part.rows.map((row, at) => {
    const problem = reasons.get(at);
    return problem === undefined ? row : { problem };
  });
}
