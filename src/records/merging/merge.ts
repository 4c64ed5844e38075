/**
 * Merges duplicates into a master, in one transaction. References to a duplicate are moved to the master; the
 * duplicate keeps its own values in the trash, and the master gets what it lacks. [spec: Duplicates]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { readWritten, type Written } from '../reading/read-written.ts';
import type { LinkChange } from '../writing/leave.ts';
import { writeTrashed } from '../writing/trash.ts';
import { copyEntries, copyLinks } from './own-links.ts';
import { doneBefore, failed } from './done-before.ts';
import { masterCells } from './master-values.ts';
import { Ledger } from './ledger.ts';
import { insertMerges, mergedInto, type MergeChoices, type Counts, type StoredMerge } from './moved.ts';
import { warnOfMetadata } from './named-in-metadata.ts';
import { mastersAmong } from './old-ids.ts';
import { lockReferrers, type Referrers } from './referrers.ts';
import { relinked, relinkOthers, repointRelations } from './repoint.ts';
import { storedRows, type StoredRow } from './stored-rows.ts';
import type { Strategy } from './strategy.ts';
import { freeRows, moveRows } from './system-rows.ts';
import { takeTurn } from './take-turns.ts';
import { Touched } from './touched.ts';
import { takeSets, writeMaster } from './write-master.ts';
import { linksFrom } from './pointers.ts';

export interface MergeRequest {
  readonly masterId: string;
  /** Without repetition, and without the master. */
  readonly duplicateIds: readonly string[];
  readonly strategy: Strategy;
  /** The record chosen for a field's value. */
  readonly chosen: ReadonlyMap<FieldDef, string>;
}

export interface MergeOutcome {
  readonly counts: Counts;
  /** The master after the merge. */
  readonly record: Written;
}

/**
 * Merges the duplicates into the master; those already merged into it keep their earlier counts. Throws
 * RECORD_NOT_FOUND, MERGE_FAILED, CONFLICT.
 */
export async function mergeRecords(call: Call, object: ObjectDef, request: MergeRequest): Promise<MergeOutcome> {
  return call.workspace.transaction(async (tx) => {
    await takeTurn(call, tx);
    const choices = choicesOf(request);
    const known = await doneBefore(call, tx, object, request, choices);
    const open = request.duplicateIds.filter((id) => !known.has(id));
    const counts = [...known.values()].map((merge) => merge.counts);
    if (open.length > 0) {
      counts.push(...(await merge(call, tx, object, { ...request, duplicateIds: open }, choices)));
      call.audit(tx, 'merge', { object: object.name, master: request.masterId, duplicates: open });
    } else await requireMaster(call, tx, object, request);
    return { counts: summed(counts), record: await readWritten(call, tx, object, request.masterId) };
  });
}

function choicesOf({ strategy, chosen }: MergeRequest): MergeChoices {
  return { strategy, values: Object.fromEntries([...chosen].map(([field, id]) => [field.id, id])) };
}

/** Throws where the master is missing. */
async function requireMaster(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { masterId, strategy }: MergeRequest,
): Promise<void> {
  const rows = await storedRows(call, tx, object, [masterId]);
  if (rows.get(masterId)?.isTrashed !== false) throw await noMaster(call, tx, object, masterId, strategy);
}

/** The specification has a different code for this in a merge that fills blanks. */
async function noMaster(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  masterId: string,
  strategy: Strategy,
): Promise<KithError> {
  const further = (await mastersAmong(call, tx, object, [masterId])).get(masterId);
  const hint = further === undefined ? '' : `: it was merged into ${further}`;
  const missing = errors.recordNotFound(object.name, masterId, ` to merge into${hint}`);
  return strategy === 'fill_blanks' ? missing : errors.mergeFailed(missing.message);
}

/** Performs the merge; returns the counts of each duplicate. */
async function merge(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  request: MergeRequest,
  choices: MergeChoices,
): Promise<readonly Counts[]> {
  const { masterId, duplicateIds, strategy, chosen } = request;
  const referrers = await lockReferrers(call, tx, object, masterId, duplicateIds);
  const { master, duplicates } = await presentRows(call, tx, object, request);
  const ledger = new Ledger(duplicateIds);
  const earlier = await mergedInto(call, tx, object, masterId);
  const touched = new Touched();
  const cells = await masterCells(call, tx, { object, master, duplicates, strategy, chosen, earlier }, ledger);
  const links = await moveLinks(call, tx, object, { referrers, request, earlier, ledger, touched });
  await moveRows(call, tx, masterId, duplicateIds, ledger);
  await freeRows(call, tx, duplicateIds);
  const change = { id: masterId, cells, links };
  await takeSets(call, tx, object, change);
  await writeTrashed(call, tx, object, duplicateIds, 'delete');
  try {
    await writeMaster(call, tx, object, change);
  } catch (error) {
    if (error instanceof KithError) throw errors.mergeFailed(error.message, error.fieldErrors);
    throw error;
  }
  await touched.leave(call, tx);
  await warnOfMetadata(call, tx, duplicateIds);
  const merges = ledger.merges();
  await insertMerges(call, tx, object, masterId, merges, choices);
  return merges.map(({ counts }) => counts);
}

/** Returns master and duplicates, which are locked. Throws RECORD_NOT_FOUND, MERGE_FAILED with all missing ones. */
async function presentRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { masterId, duplicateIds, strategy }: MergeRequest,
): Promise<{ readonly master: StoredRow; readonly duplicates: readonly StoredRow[] }> {
  const rows = await storedRows(call, tx, object, [masterId, ...duplicateIds]);
  const master = rows.get(masterId);
  if (master?.isTrashed !== false) throw await noMaster(call, tx, object, masterId, strategy);
  const duplicates = duplicateIds.flatMap((id) => rows.get(id) ?? []).filter(({ isTrashed }) => !isTrashed);
  const found = new Set(duplicates.map(({ id }) => id));
  const missing = duplicateIds.filter((id) => !found.has(id));
  if (missing.length === 0) return { master, duplicates };
  throw failed(
    missing.map((id) => ({ field: 'duplicate_ids', message: errors.recordNotFound(object.name, id).message })),
  );
}

interface Moving {
  readonly referrers: Referrers;
  readonly request: MergeRequest;
  readonly earlier: ReadonlyMap<string, StoredMerge>;
  readonly ledger: Ledger;
  readonly touched: Touched;
}

/** Moves everything beside the rows of master and duplicates. Returns the changes of the master's own links. */
async function moveLinks(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { referrers, request: { masterId, duplicateIds }, earlier, ledger, touched }: Moving,
): Promise<Record<string, LinkChange>> {
  await repointRelations(call, tx, referrers, masterId, object.name, ledger, touched);
  const relinking = { masterId, duplicateIds, earlier, ledger, touched };
  const removed = await relinkOthers(call, tx, referrers, relinking);
  const own = { object, masterId, duplicateIds, earlier, ledger };
  const added = await copyLinks(call, tx, own);
  await copyEntries(call, tx, own);
  return Object.fromEntries(
    linksFrom(object).flatMap((field): [string, LinkChange][] => {
      const gone = removed[field.field.id] ?? [];
      const come = added[field.field.id] ?? [];
      return gone.length + come.length === 0 ? [] : [[field.field.id, relinked(field, come, gone)]];
    }),
  );
}

function summed(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) for (const [key, count] of Object.entries(counts)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}
