/** Work on many rows of which some may be refused: the work on the others is kept. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { isRefusal } from '../../postgres/failure.ts';
import type { Decoded } from './decode.ts';
import { duplicateIn, type Duplicate } from './duplicate.ts';
import { duplicateOf, keysOf, refusalsOfClashes, type Clash } from './unique.ts';

/** A row, with the values it is given, if any. */
interface SomeRow extends Partial<Pick<Decoded, 'cells'>> {
  readonly id: string;
}

/**
 * Does `work` in savepoints: with all rows, or, if one is refused, with each half. Refusals of single rows are added
 * to `refusals` by id; any other failure is thrown.
 */
export async function inHalves<Row extends SomeRow>(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly Row[],
  refusals: Map<string, KithError>,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const attempt = (some: readonly Row[]) => tx.attempt(() => work(some));
  const duplicates = new Map<KithError, Duplicate>();
  const refusalOf = (error: unknown) => {
    const duplicate = duplicateIn(object, error);
    if (!duplicate) return refusalIn(error);
    const refusal = duplicateOf(call, object, duplicate.field);
    duplicates.set(refusal, duplicate);
    return refusal;
  };
  await halving(call, rows, refusals, refusalOf, attempt);
  if (duplicates.size === 0) return;
  // Look up the holders of the values for all rows at once.
  const clashes: Clash[] = [];
  for (const { id, cells } of rows) {
    const refusal = refusals.get(id);
    const duplicate = refusal && duplicates.get(refusal);
    if (!duplicate) continue;
    const { field, values = cells ? keysOf(field, { cells }) : [] } = duplicate;
    clashes.push({ id, field, keys: values });
  }
  for (const [id, refusal] of await refusalsOfClashes(call, tx.run, object, clashes)) refusals.set(id, refusal);
}

/**
 * Does `work`, which undoes itself when it fails, with all rows, or with each half where `refusalOf` recognises a
 * refused row. Refusals of single rows are added to `refusals` by id; any other failure is thrown.
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
      // Log the database's reason once: thousands of rows may fail alike.
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

/** The refusal that a failure means for a row; undefined for a failure that is not about a row. */
function refusalIn(error: unknown): KithError | undefined {
  if (error instanceof KithError)
    return error.code === 'UNAVAILABLE' || error.code === 'INTERNAL_ERROR' ? undefined : error;
  return refusedByDatabase(error);
}

/** WRITE_FAILED where the database rejects a value; undefined for any other failure. */
export function refusedByDatabase(error: unknown): KithError | undefined {
  return isRefusal(error) ? errors.valueRefused(error) : undefined;
}
