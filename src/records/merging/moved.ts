/** The data kept of each duplicate for an unmerge: the column `moved` of `_merges`. */
import type { Cell } from '../../postgres/database.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import { instant, sql } from '../../postgres/sql.ts';
import type { Strategy } from './strategy.ts';

/** A former link to the duplicate. */
export interface FormerLink {
  readonly position: number;
  /** Its junction cells by field id. */
  readonly cells: Readonly<Record<string, Cell>>;
  /**
   * Whether the source record had its own link to the master; for the master's own links, whether it had this one
   * itself.
   */
  readonly isOwn: boolean;
}

/** The cells given to the master in a field, and its former ones. */
export interface Filled {
  readonly was: readonly Cell[];
  readonly is: readonly Cell[];
}

/** The request of a merge. */
export interface MergeChoices {
  readonly strategy: Strategy;
  /** Ids of the records chosen for values, by field id. */
  readonly values: Readonly<Record<string, string>>;
}

/** Keyed by field ids; records, targets and lists by id. */
export interface Moved {
  /** Records whose relation led to the duplicate. */
  readonly pointed: Record<string, string[]>;
  /** Links to the duplicate, by source record. */
  readonly linked: Record<string, Record<string, FormerLink>>;
  /** Targets of the duplicate's own links that the master did not have itself. */
  readonly links: Record<string, string[]>;
  readonly filled: Record<string, Filled>;
  /** For sets (EMAILS, PHONES): keys of the values that the master did not have itself. */
  readonly values: Record<string, string[]>;
  /** Lists that the master joined, with its entry there. */
  readonly entries: Record<string, string>;
  /** Rows of system tables moved to the master, by table. */
  readonly rows: Record<string, string[]>;
  /** Absent in older merges. */
  readonly asked?: MergeChoices;
}

/** Initial data: nothing has moved. */
export function nothingMoved(): Moved {
  return { pointed: {}, linked: {}, links: {}, filled: {}, values: {}, entries: {}, rows: {} };
}

/** How much the master got from a duplicate: by field id, and `lists`. */
export type Counts = Readonly<Record<string, number>>;

/** A merged duplicate and its data. */
export interface StoredMerge {
  readonly id: string;
  readonly masterId: string;
  /** Boundary in history: no later entry has a smaller id, and no earlier one a larger id. */
  readonly historyId: string;
  readonly mergedAt: string;
  readonly counts: Counts;
  /** Null where the duplicate was purged. */
  readonly moved: Moved | null;
}

/** The merges of these duplicates, by id. */
export async function mergesOf(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMerge>> {
  return storedMerges(call, tx, object, sql`m.record_id = any(${ids}::uuid[])`);
}

/** The duplicates merged into the record, by id. */
export async function mergedInto(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  masterId: string,
): Promise<ReadonlyMap<string, StoredMerge>> {
  return storedMerges(call, tx, object, sql`m.master_id = ${masterId}::uuid`);
}

async function storedMerges(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  which: ReturnType<typeof sql>,
): Promise<ReadonlyMap<string, StoredMerge>> {
  const { rows } = await tx.run(sql`select m.record_id, m.master_id, m.history_id, m.merged_at, m.counts, m.moved
    from ${call.workspace.table('_merges')} m where m.object_id = ${object.id}::uuid and ${which} order by m.history_id, m.record_id`);
  return new Map(
    rows.map(([id, masterId, historyId, mergedAt, counts, moved]) => [
      id ?? '',
      {
        id: id ?? '',
        masterId: masterId ?? '',
        historyId: historyId ?? '0',
        mergedAt: mergedAt ?? '',
        counts: JSON.parse(counts ?? '{}') as Counts,
        // Only `insertMerges` writes it.
        moved: moved === null || moved === undefined ? null : (JSON.parse(moved) as Moved),
      },
    ]),
  );
}

/** Stores the merges; their history entries must already exist. */
export async function insertMerges(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  masterId: string,
  merges: readonly { readonly id: string; readonly counts: Counts; readonly moved: Moved }[],
  choices: MergeChoices,
): Promise<void> {
  const { rows } = await tx.run(
    sql`select max(h.id) from ${call.workspace.table('_history')} h where h.change_set = ${call.changeSet}::uuid`,
  );
  const last = rows[0]?.[0] ?? '0';
  for (const { id, counts, moved } of merges) {
    await tx.run(sql`insert into ${call.workspace.table('_merges')}
        (record_id, object_id, master_id, change_set, history_id, merged_at, counts, moved)
      values (${id}::uuid, ${object.id}::uuid, ${masterId}::uuid, ${call.changeSet}::uuid, ${last}::bigint,
        ${instant(call.now)}, ${JSON.stringify(counts)}::jsonb, ${JSON.stringify({ ...moved, asked: choices })}::jsonb)`);
  }
}

/** What the master has from its duplicates: the union of one part of their data, which excludes what it had itself. */
export function heldBy(merges: Iterable<StoredMerge>, part: 'links' | 'values', fieldId: string): ReadonlySet<string> {
  return new Set([...merges].flatMap(({ moved }) => moved?.[part][fieldId] ?? []));
}

/** Records whose links to the master came from links to duplicates. */
export function heldSources(merges: Iterable<StoredMerge>, fieldId: string): ReadonlySet<string> {
  return new Set(
    [...merges].flatMap(({ moved }) =>
      Object.entries(moved?.linked[fieldId] ?? {}).flatMap(([source, { isOwn }]) => (isOwn ? [] : [source])),
    ),
  );
}
