/** Work on many rows at once, of which some may be refused: what the others do is kept. */
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { isRefusal } from '../../postgres/failure.ts';
import { duplicateIn } from './duplicate.ts';

/**
 * Does `work` with the rows, in savepoints: with all of them, or, where one of them is refused, with each half. What a single row
 * is refused for goes to `refused`; any other failure is thrown.
 */
export async function inHalves<Row>(
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<void>,
  refused: (row: Row, error: unknown) => void,
): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    await tx.attempt(() => work(rows));
  } catch (error) {
    if (!isOfARow(object, error)) throw error;
    if (rows.length === 1) return refused(row, error);
    const middle = rows.length >> 1;
    await inHalves(tx, object, rows.slice(0, middle), work, refused);
    await inHalves(tx, object, rows.slice(middle), work, refused);
  }
}

function isOfARow(object: ObjectDef, error: unknown): boolean {
  if (error instanceof KithError) return error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL_ERROR';
  return duplicateIn(object, error) !== undefined || isRefusal(error);
}
