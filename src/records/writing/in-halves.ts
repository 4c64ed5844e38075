/** Work on many rows at once, of which some may be refused: what the others do is kept. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { isRefusal } from '../../postgres/failure.ts';
import { duplicateIn } from './duplicate.ts';
import { duplicateOf } from './unique.ts';

/**
 * Does `work` with the rows, in savepoints: with all of them, or, where one of them is refused, with each half. What single rows
 * are refused for is added to `refusals`, by their ids; any other failure is thrown.
 */
export async function inHalves<Row extends { readonly id: string }>(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly Row[],
  refusals: Map<string, KithError>,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const attempt = (some: readonly Row[]) => tx.attempt(() => work(some));
  await halving(call, rows, refusals, (error) => refusalIn(call, object, error), attempt);
}

/**
 * Does `work`, which undoes itself where it fails, with all of the rows, or with each half where `refusalOf` says that one of them
 * is refused. What single rows are refused for is added to `refusals`, by their ids; any other failure is thrown.
 */
export async function halving<Row extends { readonly id: string }>(
  call: Pick<Call, 'report'>,
  rows: readonly Row[],
  refusals: Map<string, KithError>,
  refusalOf: (error: unknown) => KithError | undefined,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    await work(rows);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (rows.length === 1) {
      // Why the database refuses a row is for the log: of the first such one, since thousands may fail alike.
      const isNew = !refusals.values().some(({ code }) => code === refusal.code);
      if (refusal.cause !== undefined && isNew) call.report(refusal);
      refusals.set(row.id, refusal);
      return;
    }
    const middle = rows.length >> 1;
    await halving(call, rows.slice(0, middle), refusals, refusalOf, work);
    await halving(call, rows.slice(middle), refusals, refusalOf, work);
  }
}

/** What a failure says of a row; undefined where it is not one of a row. */
function refusalIn(call: Call, object: ObjectDef, error: unknown): KithError | undefined {
  if (error instanceof KithError)
    return error.code === 'UNAVAILABLE' || error.code === 'INTERNAL_ERROR' ? undefined : error;
  const duplicate = duplicateIn(object, error);
  if (duplicate) return duplicateOf(call, object, duplicate.field);
  return refusedByDatabase(error);
}

/** WRITE_FAILED where the database takes no such value; undefined for any other failure. */
export function refusedByDatabase(error: unknown): KithError | undefined {
  return isRefusal(error) ? errors.valueRefused(error) : undefined;
}
