/** A change set as far as the caller may undo it: whose writes it has, and which records they are of. */
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
  /** Whether a merge wrote it, or an unmerge. */
  readonly isMerged: boolean;
  /** Whether anything else did. */
  readonly isWritten: boolean;
  /** Whether a merge put it into the trash, and whether an unmerge took it out. */
  readonly isMergedAway: boolean;
  readonly isGivenBack: boolean;
  /** Bytes that its entries take where they are stored. */
  readonly weight: number;
}

/** Whether the entry `h` is one of the change set that the caller may undo: its own, or anybody's for an admin. */
function isOwnEntry({ visibility, me }: Call, changeSet: string, h: Sql): Sql {
  const isSet = sql`${h}.change_set = ${changeSet}::uuid`;
  return visibility.isAdmin ? isSet : sql`(${isSet} and ${h}.actor_id = ${me}::uuid)`;
}

/** The records of the change set in the order of their ids, `most` at most. */
export async function writtenIn(call: Call, changeSet: string, most: number): Promise<readonly Written[]> {
  const { rows } = await call.workspace.readAlone(
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

/** A change set that is undone. */
export interface Undoing {
  readonly changeSet: string;
  /** Whether what its merges wrote counts as its own: they are taken back. Otherwise it counts as somebody else's. */
  readonly isMergesOwn: boolean;
  /** An id of history: what merges have left behind it in the call's change set is a part of the undo. */
  readonly since: string;
}

/** The id of the last entry of history. */
export async function lastEntry({ workspace, model }: Call): Promise<string> {
  const query = sql`select coalesce(max(h.id), 0) from ${workspace.table('_history')} h`;
  const { rows } = await workspace.readAlone(statement(query, model.version));
  return rows[0]?.[0] ?? '0';
}

/** What an entry of history tells, of the change set or behind it. */
export interface PastEntry {
  readonly recordId: string;
  readonly isOwn: boolean;
  /** Whether the caller wrote it. */
  readonly isCallers: boolean;
  readonly action: string;
  /** JSON text, values by the ids of their fields; of others' entries the keys alone. */
  readonly before: string | null;
  /** JSON text, as the write left it. */
  readonly links: string | null;
}

/**
 * All entries of the records, which are locked, from the change set's first on, in their order. What undos have left in the call's
 * own change set is not among them: it is a part of this one.
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
