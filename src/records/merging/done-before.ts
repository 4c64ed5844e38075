/** Merges that are asked for again: the same one is answered the same, another one is refused. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type FieldError, type KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { mergesOf, type Asked, type StoredMerge } from './moved.ts';

interface Wanted {
  readonly masterId: string;
  readonly duplicateIds: readonly string[];
}

/**
 * Those that are merged into the master already, be it by way of others. Throws MERGE_FAILED for one that went elsewhere, and for one
 * that was merged in another way than is asked for.
 */
export async function doneBefore(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { masterId, duplicateIds }: Wanted,
  asked: Asked,
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
    isAnother(merge, asked, isAll ? [merge.id, masterId] : [merge.id]),
  );
  if (others.length > 0) throw failed(others.map(inAnotherWay));
  return known;
}

/** Whether the merge was asked for in another way, as far as that is known: what is removed for good keeps nothing. */
function isAnother({ moved }: StoredMerge, asked: Asked, ids: readonly string[]): boolean {
  const was = moved?.asked;
  if (!was) return false;
  const names = Object.keys({ ...was.values, ...asked.values });
  // Whose value another duplicate gave is a matter of that one.
  const isSame = (name: string) => {
    const [before = '', now = ''] = [was.values[name], asked.values[name]];
    return before === now || !(ids.includes(before) || ids.includes(now));
  };
  return was.strategy !== asked.strategy || !names.every(isSame);
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

/** MERGE_FAILED with all of the problems. */
export function failed(problems: readonly FieldError[]): KithError {
  return errors.mergeFailed(problems.map(({ message }) => message).join('; '), problems);
}
