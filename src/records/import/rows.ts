/** Rows of an import in progress: decoded, written in groups, or refused. */
import type { Call } from '../../access/call.ts';
import { KithError } from '../../errors.ts';
import { inSlices } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { storedColumns } from '../writing/columns.ts';
import type { Decoded } from '../writing/decode.ts';
import { mostWeight, weightOfLink } from '../writing/links.ts';
import type { Refusals } from '../writing/row-write.ts';
import type { DecodedValues } from './decode-rows.ts';
import type { RowFailure } from './row-failure.ts';

/** A decoded row. */
export interface DecodedRow extends DecodedValues {
  readonly index: number;
}

/** A row and its record. */
export interface ImportedRow {
  readonly index: number;
  readonly id: string;
}

/** The failure of a refused row. */
export function failureOf(index: number, { code, message, fieldErrors }: KithError): RowFailure {
  return { index, code, message, ...(fieldErrors && { fieldErrors }) };
}

/** Does `work` for a row; a refusal is added to `failures`. */
export async function attempt(index: number, failures: RowFailure[], work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    failures.push(failureOf(index, error));
  }
}

/** The size of a cell besides its characters. */
const cellWeight = 16;

/** Groups the rows, one statement per group. */
export async function statementsOf<Row extends Decoded>(
  object: ObjectDef,
  rows: readonly Row[],
): Promise<readonly (readonly Row[])[]> {
  const groups: Row[][] = [];
  let room = 0;
  await inSlices(rows, (row) => {
    const weight = storedColumns(object).length * cellWeight + weightOf(row);
    room -= weight;
    if (room < 0 || groups.length === 0) {
      groups.push([]);
      room = mostWeight - weight;
    }
    groups.at(-1)?.push(row);
  });
  return groups;
}

/** The results of written rows. */
export interface WrittenRows {
  readonly written: readonly ImportedRow[];
  readonly refused: readonly { readonly index: number; readonly error: KithError }[];
}

/** Writes the records of the rows in groups, by `write`. */
export async function writeInGroups<Row extends Decoded & ImportedRow>(
  call: Call,
  object: ObjectDef,
  rows: readonly Row[],
  write: (group: readonly Row[]) => Promise<Refusals>,
): Promise<WrittenRows> {
  const written: ImportedRow[] = [];
  const refused: { index: number; error: KithError }[] = [];
  for (const group of await statementsOf(object, rows)) {
    call.signal.throwIfAborted();
    const refusals = await write(group);
    for (const { id, index } of group) {
      const error = refusals.get(id);
      if (error) refused.push({ index, error });
      else written.push({ index, id });
    }
  }
  return { written, refused };
}

function weightOf({ cells, links }: Decoded): number {
  let weight = 0;
  for (const given of cells.values()) for (const cell of given) weight += cell?.length ?? 0;
  for (const given of links.values()) for (const link of given) weight += weightOfLink(link);
  return weight;
}
