/** MANY_TO_MANY: a write gives the whole list, and only the difference is stored. */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import { inSlices, mapInSlices } from '../../lib/slices.ts';
import type { Cell } from '../../postgres/database.ts';
import { sql } from '../../postgres/sql.ts';
import { junctionColumns, type StoredColumn } from './columns.ts';
import type { LinkChange } from './leave.ts';
import { orderLinks } from './link-order.ts';
import {
  changesText,
  deleteLinks,
  insertLinks,
  linkTable,
  lockTargets,
  storedLinks,
  type KnownLink,
  type StoredLink,
} from './links.ts';

/** A record and its complete new links. */
interface Relinked {
  readonly id: string;
  readonly links: ReadonlyMap<FieldDef, readonly Link[]>;
}

/**
 * Replaces the links of locked records, and returns `LinkChanges` as JSON text by id, null where nothing changed.
 * Throws VALIDATION_ERROR for a new target that does not exist or is not visible.
 */
export async function replaceLinks(
  call: Call,
  tx: WorkspaceTransaction,
  records: readonly Relinked[],
): Promise<ReadonlyMap<string, string | null>> {
  const changes = new Map(records.map(({ id }): [string, Record<string, LinkChange>] => [id, {}]));
  for (const field of new Set(records.flatMap(({ links }) => [...links.keys()]))) {
    const lists = records.flatMap(({ id, links }) => {
      const wanted = links.get(field);
      return wanted ? [{ id, wanted }] : [];
    });
    for (const some of await portions(call, tx, field, lists)) {
      for (const [id, change] of await replaceLists(call, tx, field, some)) changes.get(id)![field.id] = change;
    }
  }
  const texts = new Map<string, string | null>();
  for (const [id, change] of changes) texts.set(id, await changesText(change));
  return texts;
}

/** The whole list of one record. */
interface List {
  readonly id: string;
  readonly wanted: readonly Link[];
}

/** Links in memory at a time, stored and wanted together. */
const heldAtOnce = 20_000;

/** Splits the lists into portions that fit into memory. */
async function portions(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  lists: readonly List[],
): Promise<readonly (readonly List[])[]> {
  if (lists.length === 1) return [lists];
  const { rows } = await tx.run(sql`select l.source_id, count(*) from ${linkTable(call, field)} l
    where l.source_id = any(${lists.map(({ id }) => id)}::uuid[]) group by l.source_id`);
  const stored = new Map(rows.map(([id, count]) => [id ?? '', Number(count)]));
  const found: List[][] = [];
  let room = 0;
  for (const list of lists) {
    const weight = 1 + list.wanted.length + (stored.get(list.id) ?? 0);
    if (weight > room || found.length === 0) {
      found.push([]);
      room = heldAtOnce;
    }
    found.at(-1)!.push(list);
    room -= weight;
  }
  return found;
}

async function replaceLists(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  lists: readonly List[],
): Promise<ReadonlyMap<string, LinkChange>> {
  const ids = lists.map(({ id }) => id);
  const stored = await storedLinks(call, tx, field, ids);
  const changes = new Map<string, LinkChange>();
  const written: StoredLink[] = [];
  for (const list of lists) {
    const difference = await differenceOf(field, stored.get(list.id) ?? new Map(), list);
    if (!difference) continue;
    changes.set(list.id, difference.change);
    for (const link of difference.written) written.push(link);
  }
  await lockTargets(call, tx, field, [...new Set(changes.values().flatMap(({ added }) => added))]);
  await deleteRemoved({ call, tx, field }, lists, changes);
  await insertLinks(call, tx, field, written);
  return changes;
}

/** Uses one statement where no list keeps a target that another one loses: Citus rejects deletes by pairs. */
async function deleteRemoved(
  { call, tx, field }: { readonly call: Call; readonly tx: WorkspaceTransaction; readonly field: FieldDef },
  lists: readonly List[],
  changes: ReadonlyMap<string, LinkChange>,
): Promise<void> {
  const losing = [...changes].filter(([, { removed }]) => removed.length > 0);
  const gone = new Set(losing.flatMap(([, { removed }]) => removed));
  const isKept = lists.some(({ wanted }) => wanted.some(({ target }) => gone.has(target)));
  if (!isKept) {
    const ids = losing.map(([id]) => id);
    await deleteLinks(call, tx, field, ids, [...gone]);
    return;
  }
  for (const [id, { removed }] of losing) await deleteLinks(call, tx, field, [id], removed);
}

/** The rows to write for a list, and its history; undefined where the list is unchanged. */
async function differenceOf(
  field: FieldDef,
  stored: ReadonlyMap<string, KnownLink>,
  { id: source, wanted }: List,
): Promise<{ readonly change: LinkChange; readonly written: readonly StoredLink[] } | undefined> {
  const targets = wanted.map((link) => link.target);
  const known = new Set(targets);
  const added = [...known].filter((target) => !stored.has(target));
  const removed = [...stored.keys()].filter((target) => !known.has(target));
  const altered: string[] = [];
  await inSlices(wanted, ({ target, junction }) => {
    const was = stored.get(target);
    if (was && !isDeepStrictEqual(was.junction, junction)) altered.push(target);
  });
  const stood = new Map([...stored].map(([target, { position }]) => [target, position]));
  const { positions, moved } = orderLinks(new Map([...stood].filter(([target]) => known.has(target))), targets);
  if (added.length + removed.length + altered.length + moved.length === 0) return undefined;
  const changed = new Set([...positions.keys(), ...altered]);
  const written = wanted
    .filter(({ target }) => changed.has(target))
    .map((link) => ({ ...link, source, position: positions.get(link.target) ?? stood.get(link.target) ?? 0 }));
  const columns = junctionColumns(field);
  const touched = columns.length > 0 ? [...removed, ...altered] : [];
  const displaced = [...removed, ...positions.keys()].filter((target) => stood.has(target));
  const isSpread = displaced.length > removed.length + moved.length;
  const change = {
    added,
    removed,
    ...(touched.length > 0 && {
      was: await fromEach(touched, (target) => byFieldId(columns, stored.get(target)?.junction)),
    }),
    ...(displaced.length > 0 && { stood: await fromEach(displaced, (target) => stood.get(target) ?? 0) }),
    ...(isSpread && { moved }),
  };
  return { change, written };
}

async function fromEach<Value>(
  targets: readonly string[],
  value: (target: string) => Value,
): Promise<Readonly<Record<string, Value>>> {
  return Object.fromEntries(await mapInSlices(targets, (target) => [target, value(target)]));
}

/** The cells of a link by field id, which is stable while names and columns change. */
export function byFieldId(
  columns: readonly StoredColumn[],
  cells: readonly Cell[] = [],
): Readonly<Record<string, Cell>> {
  return Object.fromEntries(columns.map(({ field }, at) => [field.id, cells[at] ?? null]));
}
