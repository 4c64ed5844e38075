/**
 * Moves references from duplicates to the master: relations and morphs of other records, and their links. [spec:
 * Duplicates]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Json } from '../../lib/json.ts';
import { nextSlice } from '../../lib/slices.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, sql } from '../../postgres/sql.ts';
import { junctionColumns } from '../writing/columns.ts';
import type { LinkChange } from '../writing/leave.ts';
import { insertLinks, type StoredLink } from '../writing/links.ts';
import type { Ledger } from './ledger.ts';
import { heldBy, heldSources, type StoredMerge } from './moved.ts';
import type { LinkField, Pointer } from './pointers.ts';
import type { LinkRow, Referrers } from './referrers.ts';
import type { Touched } from './touched.ts';
import { unreported } from './unreported.ts';

/** The image in history of a relation that leads to `id`. */
export function pointerImage({ objectColumn }: Pointer, objectName: string, id: string): Json {
  return objectColumn === undefined ? id : [id, objectName];
}

/** Sets the relations of the locked records to `to`. */
export async function setPointer(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { source, column }: Pointer,
  ids: readonly string[],
  to: string,
): Promise<void> {
  await tx.run(sql`update ${workspace.table(source.table)} set ${identifier(column)} = ${to}::uuid
    where id = any(${ids}::uuid[])`);
}

/** Moves the relations of other records. The master's own are handled with its values. */
export async function repointRelations(
  call: Call,
  tx: WorkspaceTransaction,
  { pointed }: Referrers,
  masterId: string,
  objectName: string,
  ledger: Ledger,
  touched: Touched,
): Promise<void> {
  for (const { pointer, rows } of pointed) {
    const others = rows.filter(([id]) => id !== masterId);
    if (others.length === 0) continue;
    const ids = others.map(([id]) => id);
    await setPointer(call, tx, pointer, ids, masterId);
    const hidden = await unreported(call, tx, pointer.source, ids);
    for (const [id, was] of others) {
      touched.field(pointer.source, id, pointer.field.id, pointerImage(pointer, objectName, was));
      (ledger.of(was).pointed[pointer.field.id] ??= []).push(id);
      if (!hidden.has(id)) ledger.count(was, pointer.field.id);
    }
    await nextSlice();
  }
}

/** The junction cells of a link by field id. */
function cellsById({ field }: LinkField, junction: readonly Cell[]): Record<string, Cell> {
  return Object.fromEntries(junctionColumns(field).map((column, at) => [column.field.id, junction[at] ?? null]));
}

/** The history of links that were redirected. */
export function relinked(
  field: LinkField,
  added: readonly string[],
  removed: readonly { readonly target: string; readonly position: number; readonly junction: readonly Cell[] }[],
): LinkChange {
  const hasCells = junctionColumns(field.field).length > 0 && removed.length > 0;
  return {
    added,
    removed: removed.map(({ target }) => target),
    ...(hasCells && { was: Object.fromEntries(removed.map((row) => [row.target, cellsById(field, row.junction)])) }),
    ...(removed.length > 0 && { stood: Object.fromEntries(removed.map((row) => [row.target, row.position])) }),
  };
}

interface Relinking {
  readonly masterId: string;
  readonly duplicateIds: readonly string[];
  readonly earlier: ReadonlyMap<string, StoredMerge>;
  readonly ledger: Ledger;
  readonly touched: Touched;
}

/**
 * Moves others' links from duplicates to the master, unless they have one to it. Removes the master's own links to
 * duplicates, and returns them by field id.
 */
export async function relinkOthers(
  call: Call,
  tx: WorkspaceTransaction,
  { linked }: Referrers,
  relinking: Relinking,
): Promise<Record<string, readonly LinkRow[]>> {
  const { masterId, duplicateIds, earlier, ledger, touched } = relinking;
  const ofMaster: Record<string, readonly LinkRow[]> = {};
  const rank = new Map(duplicateIds.map((id, at) => [id, at]));
  for (const { field, rows } of linked) {
    const table = call.workspace.table(field.linkTable);
    const bySource = Map.groupBy(rows, ({ source }) => source);
    const hidden = await unreported(call, tx, field.source, [...bySource.keys()]);
    const found = await tx.run(sql`select l.source_id from ${table} l
      where l.target_id = ${masterId}::uuid and l.source_id = any(${[...bySource.keys()]}::uuid[])`);
    const there = new Set(found.rows.map(([id]) => id ?? ''));
    const held = heldSources(earlier.values(), field.field.id);
    const heldByMaster = heldBy(earlier.values(), 'links', field.field.id);
    await tx.run(sql`delete from ${table}
      where target_id = any(${duplicateIds}::uuid[]) and source_id <> all(${duplicateIds}::uuid[])`);
    const made: StoredLink[] = [];
    for (const [source, own] of bySource) {
      const inOrder = own.toSorted((one, other) => (rank.get(one.target) ?? 0) - (rank.get(other.target) ?? 0));
      const isMaster = source === masterId;
      const [first] = inOrder;
      if (isMaster) ofMaster[field.field.id] = inOrder;
      else if (first && !there.has(source)) {
        made.push({ ...first, target: masterId });
        if (!hidden.has(source)) ledger.count(first.target, field.field.id);
      }
      for (const { target, position, junction } of inOrder) {
        const isOwn = isMaster ? !heldByMaster.has(target) : there.has(source) && !held.has(source);
        (ledger.of(target).linked[field.field.id] ??= {})[source] = {
          position,
          cells: cellsById(field, junction),
          isOwn,
        };
      }
      if (!isMaster)
        touched.links(
          field.source,
          source,
          field.field.id,
          relinked(field, there.has(source) ? [] : [masterId], inOrder),
        );
    }
    await insertLinks(call, tx, field.field, made);
  }
  return ofMaster;
}
