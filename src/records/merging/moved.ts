/** What a merge keeps of each duplicate, so that an unmerge can give it back: the column `moved` of `_merges`. */
import type { Cell } from '../../postgres/database.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import { instant, sql } from '../../postgres/sql.ts';
import type { Strategy } from './strategy.ts';

/** A link that led to the duplicate, as it was. */
export interface FormerLink {
  readonly position: number;
  /** The cells of its own fields, by their ids. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** Whether the record that it comes from had a link to the master by itself; of one of the master's, whether it had it by itself. */
  readonly isOwn: boolean;
}

/** Cells that the master was given in a field, and those that it had. */
export interface Filled {
  readonly was: readonly Cell[];
  readonly is: readonly Cell[];
}

/** How a merge was asked for. */
export interface Asked {
  readonly strategy: Strategy;
  /** The records whose values were chosen, by the ids of fields. */
  readonly values: Readonly<Record<string, string>>;
}

/** All by the ids of fields; records, targets and lists by their ids. */
export interface Moved {
  /** Records whose relation led to the duplicate. */
  readonly pointed: Record<string, string[]>;
  /** Links to the duplicate, by the records that they came from. */
  readonly linked: Record<string, Record<string, FormerLink>>;
  /** Targets of the duplicate's own links that the master did not have by itself. */
  readonly links: Record<string, string[]>;
  readonly filled: Record<string, Filled>;
  /** Of sets (EMAILS, PHONES), the keys of the values that the master did not have by itself. */
  readonly values: Record<string, string[]>;
  /** Lists on which the master was not by itself, with the entry that it has there. */
  readonly entries: Record<string, string>;
  /** Rows of system tables that are the master's now, by table. */
  readonly rows: Record<string, string[]>;
  /** Absent in merges of a time when nobody kept it. */
  readonly asked?: Asked;
}

/** A merge by which nothing has moved yet. */
export function nothingMoved(): Moved {
  return { pointed: {}, linked: {}, links: {}, filled: {}, values: {}, entries: {}, rows: {} };
}

/** How many of each kind the master got of a duplicate: fields by their ids, `lists` beside them. */
export type Counts = Readonly<Record<string, number>>;

/** A duplicate, and what became of it. */
export interface StoredMerge {
  readonly id: string;
  readonly masterId: string;
  /** No entry of history that was made later has a smaller id, and none that was made before a larger one. */
  readonly historyId: string;
  readonly mergedAt: string;
  readonly counts: Counts;
  /** Null where the duplicate was removed for good. */
  readonly moved: Moved | null;
}

/** The merges of these duplicates, by their ids. */
export async function mergesOf(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMerge>> {
  return storedMerges(call, tx, object, sql`m.record_id = any(${ids}::uuid[])`);
}

/** What was merged into the record, by the ids of the duplicates. */
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

/** Keeps what became of the duplicates; the entries of history that the merge leaves are there. */
export async function insertMerges(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  masterId: string,
  merges: readonly { readonly id: string; readonly counts: Counts; readonly moved: Moved }[],
  asked: Asked,
): Promise<void> {
  const { rows } = await tx.run(
    sql`select max(h.id) from ${call.workspace.table('_history')} h where h.change_set = ${call.changeSet}::uuid`,
  );
  const last = rows[0]?.[0] ?? '0';
  for (const { id, counts, moved } of merges) {
    await tx.run(sql`insert into ${call.workspace.table('_merges')}
        (record_id, object_id, master_id, change_set, history_id, merged_at, counts, moved)
      values (${id}::uuid, ${object.id}::uuid, ${masterId}::uuid, ${call.changeSet}::uuid, ${last}::bigint,
        ${instant(call.now)}, ${JSON.stringify(counts)}::jsonb, ${JSON.stringify({ ...moved, asked })}::jsonb)`);
  }
}

/** What the master has of its duplicates: the union of one part of what moved, but for what a record itself has. */
export function heldBy(merges: Iterable<StoredMerge>, part: 'links' | 'values', fieldId: string): ReadonlySet<string> {
  return new Set([...merges].flatMap(({ moved }) => moved?.[part][fieldId] ?? []));
}

/** Records whose links to the master came from what they had to duplicates. */
export function heldSources(merges: Iterable<StoredMerge>, fieldId: string): ReadonlySet<string> {
  return new Set(
    [...merges].flatMap(({ moved }) =>
      Object.entries(moved?.linked[fieldId] ?? {}).flatMap(([source, { isOwn }]) => (isOwn ? [] : [source])),
    ),
  );
}
