/** Creates one or many records: links and unique values first, then the rows with their history. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { Mistakes, type FieldError, type KithError } from '../../errors.ts';
import { nextSlice } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Decoded } from './decode.ts';
import { inHalves } from './in-halves.ts';
import { insertion, referring, type NewRow } from './insertion.ts';
import { judgeRows } from './judge-rows.ts';
import { insertNewLinks, linksOfNew, strayLinks } from './links.ts';
import { throwRefusal, type Refusals } from './row-write.ts';
import { duplicateOf, takenKeys, uniqueKeys } from './unique.ts';
import { takeValuesOfRows } from './unique-values.ts';
import { writeRows } from './write-rows.ts';

/** A record to create. */
export interface NewRecord extends Decoded {
  readonly id: string;
}

/** Creates all records in the transaction. Throws the first refusal, and Duplicate. */
export async function createRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<void> {
  throwRefusal(withProblems(new Map(), await strayLinks(call, tx, records)));
  await write(call, tx, object, records);
}

/** Creates those records that can be created, each on its own, and returns why the others cannot. */
export async function createEach(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<Refusals> {
  const judged = await judgeRows(tx, referring(call, object, records));
  const refusals = withProblems(judged, await strayLinks(call, tx, records));
  const notRefused = () => records.filter(({ id }) => !refusals.has(id));
  for (const [id, error] of await duplicates(call, tx, object, notRefused())) refusals.set(id, error);
  await inHalves(call, tx, object, notRefused(), refusals, (some) => write(call, tx, object, some));
  return refusals;
}

/** The refusals with the further field problems, by record id. */
function withProblems(refusals: Refusals, further: ReadonlyMap<string, readonly FieldError[]>): Map<string, KithError> {
  const all = new Map(refusals);
  for (const [id, problems] of further) {
    const mistakes = new Mistakes();
    for (const problem of [...(refusals.get(id)?.fieldErrors ?? []), ...problems]) mistakes.add(problem);
    const error = mistakes.error();
    if (error) all.set(id, error);
  }
  return all;
}

/**
 * Writes links and unique values first: the object's state row, written with the rows, is contended. The link targets
 * are locked.
 */
async function write(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<void> {
  await insertNewLinks(call, tx, records);
  await takeValuesOfRows(call, tx, object, records);
  const rows: NewRow[] = [];
  for (const record of records) rows.push({ ...record, links: await linksOfNew(record.links) });
  await nextSlice();
  throwRefusal(await writeRows(call, tx, await insertion(call, object, rows)));
}

/** Refuses records with a unique value that another record, or an earlier one of these, has. */
async function duplicates(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<Refusals> {
  const taken = await takenKeys(call, tx.run, object, records);
  const refusals = new Map<string, KithError>();
  for (const record of records) {
    const keys = uniqueKeys(object, record);
    const clash = keys.find(({ field, key }) => taken.get(field)?.has(key));
    if (clash) {
      const other = taken.get(clash.field)?.get(clash.key);
      refusals.set(record.id, duplicateOf(call, object, clash.field, other));
    } else for (const { field, key } of keys) taken.get(field)?.set(key, undefined); // it may still be refused
  }
  return refusals;
}
