/**
 * History in the order of commits, for whoever follows what changes. Its ids are given when a write begins: one that commits
 * later than its neighbours would be passed over by who reads by them. `(epoch, tx, id)` is safe to read up to the oldest
 * transaction at work; what comes after has a larger `tx`, and on another cluster a larger epoch.
 */
import { isUuid } from '../../lib/id.ts';
import { schemaNames } from '../../model/names.ts';
import type { Database, Rows } from '../../postgres/database.ts';
import { identifier, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import type { Action } from '../writing/leave.ts';

/** A place in the order of commits: behind the entry that has it. */
export interface Position {
  readonly epoch: string;
  readonly tx: string;
  readonly id: string;
}

/** Before all entries. */
export const start: Position = { epoch: '0', tx: '0', id: '0' };

/** An entry as far as it says which record to look at. */
export interface Change {
  readonly position: Position;
  readonly objectId: string;
  readonly recordId: string;
  readonly action: Action;
}

/**
 * The mark of the oldest transaction at work that can still write into the schema. One that has touched the tables of another
 * organization, or those of another database, never does: a transaction belongs to one organization. Those that end, or begin,
 * while locks are looked through are taken for such as can. To be sent by itself and first: a sharded cluster asks the same server
 * for it as for the marks of rows, whatever server has those.
 */
export function oldestAtWork(schema: string): Statement {
  return statement(sql`select coalesce(
      (select work.xid from pg_snapshot_xip(s.taken) work(xid) where not exists (
        select from pg_locks own join pg_locks held using (virtualtransaction)
        where own.locktype = 'transactionid' and own.granted and own.transactionid = work.xid::xid and held.locktype = 'relation'
          and case held.database when 0 then false when s.here then exists (
              select from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.oid = held.relation and n.nspname ~ ${schemaNames} and n.nspname <> ${schema})
            else true end)
        order by work.xid limit 1),
      pg_snapshot_xmax(s.taken))::text
    from (select pg_current_snapshot() taken, (select oid from pg_database where datname = current_database()) here offset 0) s`);
}

/** What `oldestAtWork` answered. */
export function untilIn(oldest: Rows | undefined): string {
  return oldest?.rows[0]?.[0] ?? '0';
}

/** Whether the row, which has `epoch`, `tx` and `id`, is behind `after`, and no transaction at work can come before it. */
export function positionsBehind(row: Sql, { epoch, tx, id }: Position, until: string, schema: string): Sql {
  return sql`(${row}.epoch, ${row}.tx, ${row}.id) > (${epoch}::bigint, ${tx}::xid8, ${typed(id)})
    and (${row}.epoch < (select o.epoch from ${identifier(schema, '_organization')} o) or ${row}.tx < ${until}::xid8)`;
}

/** Ids of history are numbers, those of other rows are UUIDs. */
function typed(id: string): Sql {
  return isUuid(id) ? sql`${id}::uuid` : sql`${id}::bigint`;
}

/**
 * The entries behind `after` that no transaction at work can come before, `limit` at most, in their order. What it does not
 * give yet comes with a later call; nothing comes twice.
 */
export async function changesAfter(
  database: Database,
  { id, schema }: { readonly id: string; readonly schema: string },
  after: Position,
  limit: number,
): Promise<readonly Change[]> {
  const [oldest] = await database.read(id, [oldestAtWork(schema)]);
  const [found] = await database.read(id, [
    statement(sql`select h.epoch::text, h.tx::text, h.id::text, h.object_id, h.record_id, h.action
      from ${identifier(schema, '_history')} h
      where ${positionsBehind(sql`h`, after, untilIn(oldest), schema)}
      order by h.epoch, h.tx, h.id limit ${limit}::int`),
  ]);
  return (found?.rows ?? []).map(([e, t, i, objectId, recordId, action]) => ({
    position: { epoch: e ?? '', tx: t ?? '', id: i ?? '' },
    objectId: objectId ?? '',
    recordId: recordId ?? '',
    action: action as Action,
  }));
}
