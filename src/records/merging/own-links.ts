/** Copies the duplicates' own links and list entries that the master lacks. The trashed duplicates keep theirs. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { maxLinks } from '../../fields/types/many-to-many.ts';
import { newId } from '../../lib/id.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql } from '../../postgres/sql.ts';
import { relatedObject } from '../../query/row-scope.ts';
import { junctionColumns } from '../writing/columns.ts';
import { leaveList } from '../lists/list-history.ts';
import { farthestPosition, firstPosition } from '../writing/link-order.ts';
import { insertLinks } from '../writing/links.ts';
import { mostLinkParts, partsOf, tooManyLinks } from '../writing/record-size.ts';
import type { Ledger } from './ledger.ts';
import { heldBy, type StoredMerge } from './moved.ts';
import { linksFrom, type LinkField } from './pointers.ts';
import { unreported } from './unreported.ts';

interface OwnLinks {
  readonly object: ObjectDef;
  readonly masterId: string;
  readonly duplicateIds: readonly string[];
  readonly earlier: ReadonlyMap<string, StoredMerge>;
  readonly ledger: Ledger;
}

/**
 * Copies links; returns the master's new targets by field id. Throws MERGE_FAILED for more links than a record may
 * have.
 */
export async function copyLinks(
  call: Call,
  tx: WorkspaceTransaction,
  own: OwnLinks,
): Promise<Record<string, readonly string[]>> {
  const added: Record<string, readonly string[]> = {};
  let parts = 0;
  for (const field of linksFrom(own.object)) {
    const { targets, all } = await copyField(call, tx, own, field);
    parts += all * partsOf(field.field);
    if (targets.length > 0) added[field.field.id] = targets;
  }
  if (parts > mostLinkParts && Object.keys(added).length > 0)
    throw errors.mergeFailed(tooManyLinks(own.object).message);
  return added;
}

async function copyField(
  call: Call,
  tx: WorkspaceTransaction,
  { masterId, duplicateIds, earlier, ledger }: OwnLinks,
  field: LinkField,
): Promise<{ readonly targets: readonly string[]; readonly all: number }> {
  const { field: of } = field;
  const merged = [masterId, ...duplicateIds];
  const cells = junctionColumns(of).map(({ name }) => sql`l.${identifier(name)}::text`);
  const columns = [sql`l.source_id`, sql`l.target_id`, sql`l.position`, ...cells];
  const { rows } = await tx.run(sql`select ${join(columns, ', ')} from ${call.workspace.table(field.linkTable)} l
    where l.source_id = any(${merged}::uuid[]) and l.target_id <> all(${merged}::uuid[])
    order by array_position(${merged}::uuid[], l.source_id), l.position, l.target_id`);
  const held = heldBy(earlier.values(), 'links', of.id);
  const targets = rows.map(([, target]) => target ?? '');
  const hidden = await unreported(call, tx, relatedObject(call.model, of), targets);
  const there = new Set<string>();
  let last = -1;
  const wanted = new Map<string, readonly Cell[]>();
  for (const [source, target = null, position, ...junction] of rows) {
    if (source === masterId) {
      there.add(target ?? '');
      last = Math.max(last, Number(position));
      continue;
    }
    const id = target ?? '';
    if (!there.has(id) || held.has(id)) (ledger.of(source ?? '').links[of.id] ??= []).push(id);
    if (there.has(id) || wanted.has(id)) continue;
    wanted.set(id, junction);
    if (!hidden.has(id)) ledger.count(source ?? '', of.id);
  }
  if (wanted.size > 0 && there.size + wanted.size > maxLinks) {
    const message = `${of.name} would have ${there.size + wanted.size} links, and takes at most ${maxLinks}`;
    throw errors.mergeFailed(message, [{ field: of.name, message }]);
  }
  const begin = last < 0 ? 0 : last;
  const step = Math.min(firstPosition(1), Math.floor((farthestPosition - begin) / (wanted.size + 1)));
  const links = [...wanted].map(([target, junction], at) => ({
    source: masterId,
    target,
    position: last < 0 ? firstPosition(at) : begin + step * (at + 1),
    junction,
  }));
  await insertLinks(call, tx, of, links);
  return { targets: [...wanted.keys()], all: there.size + wanted.size };
}

/** Adds the master to the duplicates' lists, with the values of the first duplicate there. */
export async function copyEntries(
  call: Call,
  tx: WorkspaceTransaction,
  { object, masterId, duplicateIds, earlier, ledger }: OwnLinks,
): Promise<void> {
  const entries = call.workspace.table('_list_entries');
  const merged = [masterId, ...duplicateIds];
  // Lock lists first: deleting one locks it, then its entries.
  const locked = await tx.run(sql`select l.id from ${call.workspace.table('_lists')} l
    where l.id in (select e.list_id from ${entries} e where e.record_id = any(${duplicateIds}::uuid[])) order by l.id for key share of l`);
  const lists = locked.rows.map(([id]) => id ?? '');
  const made = new Set<string>();
  if (lists.length === 0) return;
  const { rows } = await tx.run(sql`select e.id, e.list_id, e.record_id, e.entry_fields, e.created_by, e.created_at
    from ${entries} e where e.record_id = any(${merged}::uuid[]) and e.list_id = any(${lists}::uuid[])
    order by array_position(${merged}::uuid[], e.record_id), e.list_id`);
  const held = new Set([...earlier.values()].flatMap(({ moved }) => Object.values(moved?.entries ?? {})));
  const there = new Map<string, string>();
  for (const [id, list, record, fields = null, by = null, at = null] of rows) {
    const listId = list ?? '';
    if (record === masterId) {
      there.set(listId, id ?? '');
      continue;
    }
    const known = there.get(listId);
    if (known !== undefined && !made.has(listId) && !held.has(known)) continue;
    const entryId = known ?? newId();
    ledger.of(record ?? '').entries[listId] = entryId;
    if (known !== undefined) continue;
    there.set(listId, entryId);
    made.add(listId);
    ledger.count(record ?? '', 'lists');
    await tx.run(sql`insert into ${entries} (id, list_id, object_id, record_id, entry_fields, created_by, created_at)
      values (${entryId}::uuid, ${listId}::uuid, ${object.id}::uuid, ${masterId}::uuid, ${fields}::jsonb, ${by}::uuid, ${at}::timestamptz)`);
    await leaveList(call, tx, listId, { action: 'update', added: [masterId] });
  }
}
