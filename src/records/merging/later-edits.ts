/** Edits made after a merge by anything but merges: an unmerge keeps them. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { isObject, parseJson, type Json } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import { sql } from '../../postgres/sql.ts';
import type { GivingBack } from './giving-back.ts';

export interface LaterEdits {
  /** Whether the record's field was edited since. */
  field(recordId: string, fieldId: string): boolean;
  /** Whether the link from the record to `target` was added, changed or removed since. */
  link(recordId: string, fieldId: string, target: string): boolean;
}

/** Records per read of history. */
const readAtOnce = 1_000;

/** The records' edits after the merge, except those of a change set undone with it; `objectId` as in history. */
export async function laterEdits(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  objectId: string,
  ids: readonly string[],
  { historyId, undoing }: Pick<GivingBack, 'historyId' | 'undoing'>,
): Promise<LaterEdits> {
  const seen = new Set<string>();
  const others = undoing === undefined ? sql`true` : sql`h.change_set <> ${undoing}::uuid`;
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const { rows } =
      await tx.run(sql`select h.record_id, (select jsonb_agg(k.key) from jsonb_object_keys(h.before) k (key)), h.links
      from ${workspace.table('_history')} h where h.record_id = any(${ids.slice(at, at + readAtOnce)}::uuid[])
        and h.object_id = ${objectId}::uuid and h.id > ${historyId}::bigint and h.means <> 'merge' and ${others}`);
    for (const [id, fields = null, links = null] of rows) {
      if (sliceIsOver()) await nextSlice();
      for (const field of listIn(parseJson(fields ?? '[]'))) seen.add(`${id} ${field}`);
      for (const [field, target] of linksIn(parseJson(links ?? '{}'))) seen.add(`${id} ${field} ${target}`);
    }
  }
  return {
    field: (recordId, fieldId) => seen.has(`${recordId} ${fieldId}`),
    link: (recordId, fieldId, target) => seen.has(`${recordId} ${fieldId} ${target}`),
  };
}

/** A change of order alone is no change of a link. */
function linksIn(links: Json): (readonly [fieldId: string, target: string])[] {
  if (!isObject(links)) return [];
  return Object.entries(links).flatMap(([field, change]) => {
    if (!isObject(change)) return [];
    const { added = [], removed = [], was = {} } = change;
    const targets = [...listIn(added), ...listIn(removed), ...(isObject(was) ? Object.keys(was) : [])];
    return targets.map((target) => [field, target] as const);
  });
}

function listIn(value: Json): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
