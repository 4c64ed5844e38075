/** The part of a change set that the caller may undo, and its records. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { sql, statement, type Sql } from '../../postgres/sql.ts';

/** A record that the change set wrote. */
export interface Written {
  readonly objectId: string;
  readonly recordId: string;
  /** The id of its first entry in the change set. */
  readonly first: string;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
  readonly isRestored: boolean;
  /** Whether a merge or an unmerge wrote it. */
  readonly isMerged: boolean;
  /** Whether anything else did. */
  readonly isWritten: boolean;
  /** Whether a merge trashed it, and whether an unmerge restored it. */
  readonly isMergedAway: boolean;
  readonly isGivenBack: boolean;
  /** Bytes of its stored entries. */
  readonly weight: number;
}

/** Whether the entry `h` belongs to the change set and to the caller, or to anybody for an admin. */
function isOwnEntry({ visibility, me }: Call, changeSet: string, h: Sql): Sql {
  const isSet = sql`${h}.change_set = ${changeSet}::uuid`;
  return visibility.isAdmin ? isSet : sql`(${isSet} and ${h}.actor_id = ${me}::uuid)`;
}

/** The records of the change set in id order, at most `most`. */
export async function writtenIn(call: Call, changeSet: string, most: number): Promise<readonly Written[]> {
  const { rows } = await call.workspace.readOnPlainClient(
    statement(
      sql`select h.object_id, h.record_id, min(h.id), bool_or(h.action = 'create'), bool_or(h.action = 'delete'),
          bool_or(h.action = 'restore'), bool_or(h.means = 'merge'), bool_or(h.means <> 'merge'),
          bool_or(h.means = 'merge' and h.action = 'delete'), bool_or(h.means = 'merge' and h.action = 'restore'),
          sum(coalesce(pg_column_size(h.before), 0) + coalesce(pg_column_size(h.links), 0))
        from ${call.workspace.table('_history')} h where ${isOwnEntry(call, changeSet, sql`h`)}
        group by h.object_id, h.record_id order by h.object_id, h.record_id limit ${most}::int`,
      call.model.version,
    ),
  );
  return rows.map(([objectId, recordId, first, created, deleted, restored, merged, written, away, back, weight]) => ({
    objectId: objectId ?? '',
    recordId: recordId ?? '',
    first: first ?? '0',
    isCreated: created === 't',
    isDeleted: deleted === 't',
    isRestored: restored === 't',
    isMerged: merged === 't',
    isWritten: written === 't',
    isMergedAway: away === 't',
    isGivenBack: back === 't',
    weight: Number(weight ?? 0),
  }));
}

/** A change set being undone. */
export interface Undoing {
  readonly changeSet: string;
  /** Whether the writes of its merges count as its own and are taken back; otherwise they count as somebody else's. */
  readonly isMergesOwn: boolean;
  /** A history id: later entries of merges in the call's change set belong to the undo. */
  readonly since: string;
}

/** The id of the last history entry. */
export async function lastEntry({ workspace, model }: Call): Promise<string> {
  const query = sql`select coalesce(max(h.id), 0) from ${workspace.table('_history')} h`;
  const { rows } = await workspace.readOnPlainClient(statement(query, model.version));
  return rows[0]?.[0] ?? '0';
}

/** A history entry, of the change set or later. */
export interface PastEntry {
  readonly recordId: string;
  readonly isOwn: boolean;
  /** Whether the caller wrote it. */
  readonly isCallers: boolean;
  readonly action: string;
  /** JSON text, values by field id; for others' entries only the keys. */
  readonly before: string | null;
  /** JSON text as stored by the write. */
  readonly links: string | null;
}

/**
 * All entries of the locked records from the change set's first on, in order, without those that undos have written
 * in the call's own change set, since these belong to this undo.
 */
export async function entriesSince(
  call: Call,
  tx: WorkspaceTransaction,
  { changeSet, isMergesOwn, since }: Undoing,
  objectId: string,
  records: readonly Pick<Written, 'recordId' | 'first'>[],
): Promise<readonly PastEntry[]> {
  const ofSet = isOwnEntry(call, changeSet, sql`h`);
  const own = isMergesOwn ? ofSet : sql`(${ofSet} and h.means <> 'merge')`;
  const ofUndo = sql`h.means = 'undo' or (h.means = 'merge' and h.id > ${since}::bigint)`;
  const keys = sql`(select jsonb_object_agg(k.key, null::text) from jsonb_object_keys(h.before) k (key))`;
  const { rows } =
    await tx.run(sql`select h.record_id, ${own}, h.actor_id is not distinct from ${call.me}::uuid, h.action,
      (case when ${own} then h.before else ${keys} end)::text, h.links::text
    from unnest(${records.map(({ recordId }) => recordId)}::uuid[], ${records.map(({ first }) => first)}::bigint[]) f (record_id, first)
      join ${call.workspace.table('_history')} h on h.record_id = f.record_id and h.id >= f.first
    where h.object_id = ${objectId}::uuid and not (h.change_set = ${call.changeSet}::uuid and (${ofUndo}))
    order by h.record_id, h.id`);
  return rows.map(([recordId, isOwn, isCallers, action, before = null, links = null]) => ({
    recordId: recordId ?? '',
    isOwn: isOwn === 't',
    isCallers: isCallers === 't',
    action: action ?? '',
    before,
    links,
  }));
}
