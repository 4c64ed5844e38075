/**
 * History in the order of commits, for followers of changes. Ids are assigned when a write begins, so an entry
 * committed later than its neighbours would be missed by reading in id order. `(epoch, tx, id)` is safe to read up to
 * the oldest open transaction; later entries have a larger `tx`, or on another cluster a larger epoch.
 */
import { isUuid } from '../../lib/id.ts';
import { schemaNames } from '../../model/names.ts';
import type { Rows } from '../../postgres/database.ts';
import { identifier, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';

/** A position in the order of commits: after the entry with these values. */
export interface Position {
  readonly epoch: string;
  readonly tx: string;
  readonly id: string;
}

/** Before all entries. */
export const start: Position = { epoch: '0', tx: '0', id: '0' };

/**
 * Selects the id of the oldest open transaction that may still write into the schema. One that has touched tables of
 * another organization or database cannot: a transaction belongs to one organization. Transactions that begin or end
 * while locks are read count as able to. Send it separately and first: a sharded cluster then asks the same server
 * for it as for the rows' ids.
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

/** Reads the answer of `oldestAtWork`. */
export function untilIn(oldest: Rows | undefined): string {
  return oldest?.rows[0]?.[0] ?? '0';
}

/**
 * Whether the row, which has `epoch`, `tx` and `id`, is after the position, and no open transaction can still precede
 * it.
 */
export function positionsBehind(row: Sql, { epoch, tx, id }: Position, until: string, schema: string): Sql {
  return sql`(${row}.epoch, ${row}.tx, ${row}.id) > (${epoch}::bigint, ${tx}::xid8, ${typed(id)})
    and (${row}.epoch < (select o.epoch from ${identifier(schema, '_organization')} o) or ${row}.tx < ${until}::xid8)`;
}

/** History ids are numbers, other rows' are UUIDs. */
function typed(id: string): Sql {
  return isUuid(id) ? sql`${id}::uuid` : sql`${id}::bigint`;
}
