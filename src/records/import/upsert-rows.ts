/** Creates or updates many records, each on its own. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Change } from '../writing/change.ts';
import { changeLocked } from '../writing/change-rows.ts';
import { createEach, type NewRecord } from '../writing/create-rows.ts';
import { decodeValues, writingOf, type Decoded, type Writing } from '../writing/decode.ts';
import { refuseFloodOfHtml } from '../writing/html-flood.ts';
import { changedMeanwhile, lockMatches } from '../writing/lock-matches.ts';
import { matchKeys, oneMatch } from '../writing/match.ts';
import { refuseHugeTexts } from '../writing/record-size.ts';
import type { Refusals } from '../writing/row-write.ts';
import { changeOf, newRecord } from '../writing/upsert.ts';
import { attempt, failureOf, writeInGroups } from './rows.ts';
import type { RowFailure } from './row-failure.ts';

export interface UpsertedRow {
  readonly index: number;
  readonly id: string;
  readonly action: 'created' | 'updated';
}

export interface UpsertOutcome {
  /** In row order. */
  readonly records: readonly UpsertedRow[];
  readonly failures: readonly RowFailure[];
}

interface Row {
  readonly index: number;
  readonly decoded: Decoded;
  readonly keys: readonly string[];
}

/** What happens to a row. */
type Settled =
  | { readonly index: number; readonly action: 'created'; readonly write: NewRecord }
  | { readonly index: number; readonly action: 'updated'; readonly write: Change };

/** Writes what it can in the transaction, and returns the result of each row. */
export async function upsertRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  match: FieldDef,
  rows: readonly Json[],
): Promise<UpsertOutcome> {
  refuseFloodOfHtml(object, rows);
  const writing = writingOf(call, object);
  const failures: RowFailure[] = [];
  const good = await decodeRows(writing, match, rows, failures);
  const settled = await settle({ call, tx, object, match, writing }, good, failures);
  const records: UpsertedRow[] = [];
  for (const action of ['updated', 'created'] as const) {
    const some = settled.flatMap((each) => (each.action === action ? [{ ...each.write, index: each.index }] : []));
    const { written, refused } = await writeInGroups(call, object, some, (group) =>
      writeGroup(call, tx, object, action, group),
    );
    for (const row of written) records.push({ ...row, action });
    for (const { index, error } of refused) failures.push(failureOf(index, error));
  }
  const inOrder = (a: { readonly index: number }, b: { readonly index: number }) => a.index - b.index;
  return { records: records.toSorted(inOrder), failures: failures.toSorted(inOrder) };
}

/** Writes a group of rows; skips changes that only repeat the field by which the record was found. */
function writeGroup(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  action: UpsertedRow['action'],
  rows: readonly (Decoded & { readonly id: string })[],
): Promise<Refusals> {
  if (action === 'created') return createEach(call, tx, object, rows);
  const changes = rows.filter(({ cells, links }) => cells.size + links.size > 0);
  return changeLocked(call, tx, object, changes);
}

async function decodeRows(
  writing: Writing,
  match: FieldDef,
  rows: readonly Json[],
  failures: RowFailure[],
): Promise<Row[]> {
  const good: Row[] = [];
  const first = new Map<string, number>();
  for (const [index, values] of rows.entries()) {
    if (sliceIsOver()) await nextSlice();
    await attempt(index, failures, async () => {
      if (!isObject(values)) throw errors.validation('The record must be an object of field values');
      const mistakes = new Mistakes();
      const decoded = await decodeValues(writing, values, mistakes);
      await refuseHugeTexts(writing.object, decoded);
      mistakes.refuse();
      const keys = matchKeys(match, decoded);
      const other = keys.map((key) => first.get(key)).find((at) => at !== undefined);
      if (other !== undefined) throw sameAs(other, match);
      for (const key of keys) first.set(key, index);
      good.push({ index, decoded, keys });
    });
  }
  return good;
}

function sameAs(other: number, { name }: FieldDef): KithError {
  const message = `${name} is that of records[${other}], too: a record is written once in a request`;
  return errors.duplicateRecord(message, [{ field: name, message }]);
}

interface Work {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  readonly object: ObjectDef;
  readonly match: FieldDef;
  readonly writing: Writing;
}

/**
 * Decides which rows change a record, and which create one. Matches are locked, and counted as found under the locks.
 */
async function settle(work: Work, rows: readonly Row[], failures: RowFailure[]): Promise<Settled[]> {
  const { call, tx, object, match, writing } = work;
  const keys = rows.flatMap((row) => row.keys);
  const { matches, locked, refusals } = await lockMatches(call, tx, object, new Map([[match, keys]]));
  const found = matches.get(match) ?? new Map<string, ReadonlySet<string>>();
  const taken = new Map<string, number>();
  const settled: Settled[] = [];
  for (const { index, decoded, keys: own } of rows) {
    if (sliceIsOver()) await nextSlice();
    await attempt(index, failures, async () => {
      const id = oneMatch(object, match, own, found);
      if (id === undefined) {
        settled.push({ index, action: 'created', write: await newRecord(call, writing, decoded) });
        return;
      }
      const [refused, other] = [refusals.get(id), taken.get(id)];
      if (refused) throw refused;
      if (!locked.has(id)) throw changedMeanwhile([match]);
      if (other !== undefined) throw sameAs(other, match);
      taken.set(id, index);
      settled.push({ index, action: 'updated', write: { ...changeOf(writing, match, decoded), id } });
    });
  }
  return settled;
}
