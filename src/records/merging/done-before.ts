/** A repeated merge: an identical one gets the same answer, a different one is refused. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type FieldError, type KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { mergesOf, type MergeChoices, type StoredMerge } from './moved.ts';

interface Wanted {
  readonly masterId: string;
  readonly duplicateIds: readonly string[];
}

/**
 * The duplicates already merged into the master, even through others. Throws MERGE_FAILED for one merged elsewhere,
 * or merged with other choices.
 */
export async function doneBefore(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { masterId, duplicateIds }: Wanted,
  choices: MergeChoices,
): Promise<ReadonlyMap<string, StoredMerge>> {
  const done = await mergesOf(call, tx, object, duplicateIds);
  const known = new Map<string, StoredMerge>();
  for (const id of duplicateIds) {
    const merge = done.get(id);
    if (!merge) continue;
    let at = merge.masterId;
    for (let next = merge; at !== masterId;) {
      const further = (await mergesOf(call, tx, object, [at])).get(at);
      if (!further || further.id === next.id) throw elsewhere(id, at);
      next = further;
      at = further.masterId;
    }
    known.set(id, merge);
  }
  const isAll = known.size === duplicateIds.length;
  const others = [...known.values()].filter((merge) =>
    isAnother(merge, choices, isAll ? [merge.id, masterId] : [merge.id]),
  );
  if (others.length > 0) throw failed(others.map(inAnotherWay));
  return known;
}

/** Whether the earlier merge was requested differently, as far as known: a purged duplicate keeps no data. */
function isAnother({ moved }: StoredMerge, choices: MergeChoices, ids: readonly string[]): boolean {
  const was = moved?.asked;
  if (!was) return false;
  const names = Object.keys({ ...was.values, ...choices.values });
  // A value given by another duplicate is compared for that one.
  const isSame = (name: string) => {
    const [before = '', now = ''] = [was.values[name], choices.values[name]];
    return before === now || !(ids.includes(before) || ids.includes(now));
  };
  return was.strategy !== choices.strategy || !names.every(isSame);
}

function inAnotherWay({ id, masterId, moved }: StoredMerge): FieldError {
  const { strategy = '', values = {} } = moved?.asked ?? {};
  const how = Object.keys(values).length > 0 ? `${strategy} and chosen values` : strategy;
  const message = `${id} was merged into ${masterId} already, with ${how}; unmerge first to merge it in another way`;
  return { field: 'duplicate_ids', message };
}

function elsewhere(id: string, masterId: string): KithError {
  return failed([{ field: 'duplicate_ids', message: `${id} was merged into ${masterId}` }]);
}

/** MERGE_FAILED with all problems. */
export function failed(problems: readonly FieldError[]): KithError {
  return errors.mergeFailed(problems.map(({ message }) => message).join('; '), problems);
}
