/**
 * Undoes a merge: duplicates are restored under their old ids with their values. Later edits stay, and are reported.
 * [decisions: Writing]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { sql } from '../../postgres/sql.ts';
import { duplicateIn } from '../writing/duplicate.ts';
import { restoreClash } from '../writing/unique.ts';
import { retakeValues } from '../writing/unique-values.ts';
import { writeTrashed } from '../writing/trash.ts';
import { Ambiguities, type Ambiguity } from './ambiguous.ts';
import type { GivingBack } from './giving-back.ts';
import { laterEdits } from './later-edits.ts';
import { masterGivesBack } from './master-gives-back.ts';
import { mergedInto, mergesOf, type Counts, type StoredMerge } from './moved.ts';
import { linksTo, pointersTo } from './pointers.ts';
import { giveBackEntries } from './give-back-entries.ts';
import { giveBackRelations } from './give-back-relations.ts';
import { giveBackLinks } from './give-back-links.ts';
import { storedRows } from './stored-rows.ts';
import { moveRowsBack } from './system-rows.ts';
import { lockAll, takeTurn, type RecordsByObject } from './take-turns.ts';
import { Touched } from './touched.ts';
import { takeSets, writeMaster } from './write-master.ts';

export interface UnmergeRequest {
  /** Without repetition. */
  readonly duplicateIds: readonly string[];
  /** The master, if the caller names it. */
  readonly masterId?: string | undefined;
  /** The change set being undone as a whole, which includes the merge. */
  readonly undoing?: string | undefined;
}

export interface UnmergeOutcome {
  readonly masterId: string;
  /** What the duplicates got back, by field id. */
  readonly counts: Counts;
  readonly ambiguous: readonly Ambiguity[];
  /** Their total number. */
  readonly ambiguities: number;
}

/**
 * Restores the duplicates. Throws MERGE_FAILED where one is not merged or cannot be restored, and DUPLICATE_RECORD
 * for values taken meanwhile.
 */
export async function unmergeRecords(call: Call, object: ObjectDef, request: UnmergeRequest): Promise<UnmergeOutcome> {
  let current = request.duplicateIds[0] ?? '';
  try {
    return await call.workspace.transaction(async (tx) => {
      await takeTurn(call, tx);
      const { masterId, merges } = await lockedMerges(call, tx, object, request);
      const ambiguous = new Ambiguities();
      const counts: Record<string, number> = {};
      const { undoing } = request;
      const count = (key: string) => void (counts[key] = (counts[key] ?? 0) + 1);
      for (const { id, historyId, moved } of merges) {
        current = id;
        if (moved) await giveBack(call, tx, { object, masterId, id, historyId, undoing, moved, ambiguous, count });
      }
      const duplicates = merges.map(({ id }) => id);
      call.audit(tx, 'unmerge', { object: object.name, master: masterId, duplicates });
      return { masterId, counts, ambiguous: ambiguous.reported, ambiguities: ambiguous.count };
    });
  } catch (error) {
    const duplicate = duplicateIn(object, error);
    throw duplicate ? await restoreClash(call, object, duplicate, current) : error;
  }
}

interface LockedMerges {
  readonly masterId: string;
  /** In reverse order of merging. */
  readonly merges: readonly StoredMerge[];
}

/** The merges, with all affected records locked. Throws MERGE_FAILED. */
async function lockedMerges(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { duplicateIds, masterId: named }: UnmergeRequest,
): Promise<LockedMerges> {
  const before = await mergesOf(call, tx, object, duplicateIds);
  const problems = duplicateIds.flatMap((id) => {
    const merge = before.get(id);
    if (!merge) return [`${id} is not merged`];
    return named !== undefined && merge.masterId !== named ? [`${id} was merged into ${merge.masterId}`] : [];
  });
  const masters = new Set([...before.values()].map(({ masterId }) => masterId));
  if (masters.size > 1)
    problems.push('The duplicates were merged into several records: unmerge those of one at a time');
  refuse(problems);
  const [masterId = ''] = masters;
  await lockAll(call, tx, recordsOf(call, object, before.values()), object, [masterId, ...duplicateIds]);
  // A purge may have happened before the lock.
  const merges = await mergesOf(call, tx, object, duplicateIds);
  const rows = await storedRows(call, tx, object, [masterId, ...duplicateIds]);
  const gone = duplicateIds.filter((id) => !merges.get(id)?.moved || rows.get(id)?.isTrashed !== true);
  refuse(gone.map((id) => `${id} was removed for good and cannot come back`));
  const further = (await mergesOf(call, tx, object, [masterId])).get(masterId);
  if (further) refuse([`${masterId} was itself merged into ${further.masterId}: unmerge that first`]);
  if (rows.get(masterId)?.isTrashed !== false) refuse([`${masterId} is in the trash: restore it first`]);
  return { masterId, merges: [...merges.values()].toReversed() };
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw errors.mergeFailed(
    problems.join('; '),
    problems.map((message) => ({ field: 'duplicate_ids', message })),
  );
}

/** The other records whose relations and links return to the duplicates. */
function recordsOf({ model }: Call, object: ObjectDef, merges: Iterable<StoredMerge>): RecordsByObject {
  const records = new Map<ObjectDef, Set<string>>();
  const add = (source: ObjectDef, ids: readonly string[]) => {
    const known = records.get(source) ?? new Set();
    for (const id of ids) known.add(id);
    records.set(source, known);
  };
  for (const { moved } of merges) {
    for (const { source, field } of pointersTo(model, object)) add(source, moved?.pointed[field.id] ?? []);
    for (const { source, field } of linksTo(model, object)) add(source, Object.keys(moved?.linked[field.id] ?? {}));
  }
  return records;
}

async function giveBack(
  call: Call,
  tx: WorkspaceTransaction,
  given: Omit<GivingBack, 'siblings' | 'touched'>,
): Promise<void> {
  const { object, masterId, id, moved } = given;
  const siblings = new Map(await mergedInto(call, tx, object, masterId));
  siblings.delete(id);
  const giving: GivingBack = { ...given, siblings, touched: new Touched() };
  await giveBackRelations(call, tx, giving);
  const links = await giveBackLinks(call, tx, giving);
  await giveBackEntries(call, tx, giving);
  await moveRowsBack(call, tx, masterId, id, moved);
  const master = (await storedRows(call, tx, object, [masterId])).get(masterId);
  const edits = await laterEdits(call, tx, object.id, [masterId], giving);
  if (!master) throw new Error(`${masterId} is locked and not there`);
  const { cells, passedOn } = masterGivesBack(giving, master, edits);
  for (const { id: next, fieldId, was } of passedOn) await passOn(call, tx, next, fieldId, was);
  const change = { id: masterId, links, cells };
  await takeSets(call, tx, object, change);
  await retakeValues(call, tx, object, [id]);
  await writeMaster(call, tx, object, change, true);
  await writeTrashed(call, tx, object, [id], 'restore');
  await giving.touched.leave(call, tx);
  await tx.run(sql`delete from ${call.workspace.table('_merges')} where record_id = ${id}::uuid`);
}

/** Changes what the merge of `id` will restore in the field. */
async function passOn(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  id: string,
  fieldId: string,
  was: readonly Cell[],
): Promise<void> {
  const path = ['filled', fieldId, 'was'];
  await tx.run(sql`update ${workspace.table('_merges')}
    set moved = jsonb_set(moved, ${path}::text[], ${JSON.stringify(was)}::jsonb) where record_id = ${id}::uuid`);
}
