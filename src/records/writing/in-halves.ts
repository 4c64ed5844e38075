/** Work on many rows at once, of which some may be refused: what the others do is kept. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { isRefusal } from '../../postgres/failure.ts';
import type { Decoded } from './decode.ts';
import { duplicateIn, type Duplicate } from './duplicate.ts';
import { duplicateOf, keysOf, refusalsOfClashes, type Clash } from './unique.ts';

/** A row, with the values that it gets, where it gets some. */
interface SomeRow extends Partial<Pick<Decoded, 'cells'>> {
  readonly id: string;
}

/**
 * Does `work` with the rows, in savepoints: with all of them, or, where one of them is refused, with each half. What single rows
 * are refused for is added to `refusals`, by their ids; any other failure is thrown.
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
  // Who has the values is asked for all rows at once.
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
function refusalIn(error: unknown): KithError | undefined {
  if (error instanceof KithError)
    return error.code === 'UNAVAILABLE' || error.code === 'INTERNAL_ERROR' ? undefined : error;
  return refusedByDatabase(error);
}

/** WRITE_FAILED where the database takes no such value; undefined for any other failure. */
export function refusedByDatabase(error: unknown): KithError | undefined {
  return isRefusal(error) ? errors.valueRefused(error) : undefined;
}
