/** What was changed after a merge by something else than merges: that stays as it is when the merge is undone. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { isObject, parseJson, type Json } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import { sql } from '../../postgres/sql.ts';
import type { GivingBack } from './giving-back.ts';

export interface LaterEdits {
  /** Whether the field of the record was set to something else since. */
  field(recordId: string, fieldId: string): boolean;
  /** Whether the link from the record to `target` was made, changed or taken away since. */
  link(recordId: string, fieldId: string, target: string): boolean;
}

/** Records of one look at history. */
const readAtOnce = 1_000;

/** The edits of the records after the merge, but for those of a change set that is undone with it; `objectId` as history has it. */
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

/** Where a link stands among the others is no change of it. */
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
