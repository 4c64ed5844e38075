/**
 * What every write leaves beside the record: its history row and the object's new version. One transaction, one statement,
 * no triggers. History holds what was before, keyed by field id; links are pairs added and removed, and the places of those that moved.
 */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import { raiseState } from '../../model/state.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, literal, sql, type Sql } from '../../postgres/sql.ts';
import { columnsByField } from './columns.ts';
import { imageOf } from '../past/image.ts';

/** `purge`: it is gone for good. `unlink`: a link of it went with the record that it led to. */
export type Action = 'create' | 'update' | 'delete' | 'restore' | 'purge' | 'unlink';

export interface LinkChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Junction cells of removed and altered links as they were: by target, then by the id of the junction field. */
  readonly was?: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
  /** Positions of links that are gone or have another one, as they were, by target. */
  readonly stood?: Readonly<Record<string, number>>;
  /** Links that stand elsewhere among the others; absent where these are all of `stood` that are not removed. */
  readonly moved?: readonly string[];
}

/** What a write did to links, by field id. */
export type LinkChanges = Readonly<Record<string, LinkChange>>;

/** What a write of links left to be told of. */
export interface WrittenLinks {
  /** `LinkChanges` as JSON text, which is made in slices; null where nothing changed. */
  readonly changes: string | null;
}

interface HistoryEntry {
  readonly action: Action;
  /** Select list over `written` (and `was`) of the before-image; absent for a create, which has none. */
  readonly before?: Sql;
  readonly links?: WrittenLinks;
}

/** Inserts one history row per row of the clause `written`, which has a column `id`. */
export function historyClause(call: Call, object: ObjectDef, entry: HistoryEntry): Sql {
  return sql`history as (insert into ${call.workspace.table('_history')}
    (object_id, record_id, action, before, links, actor_id, token_id, means, change_set, at)
    select ${object.id}::uuid, written.id, ${entry.action}::text, ${entry.before ?? sql`null::jsonb`}, ${entry.links?.changes ?? null}::jsonb,
      ${call.caller.workspaceUserId}::uuid, ${call.caller.tokenId}::uuid, ${call.means}::text,
      ${call.changeSet}::uuid, clock_timestamp() from written)`;
}

/** Counts the rows of the clause `written`, where there are any, into the object's state; the last clause of the statement. */
export function stateClause(call: Call, object: ObjectDef, rows: 1 | 0 | -1): Sql {
  const counted = sql`${rows}::bigint * count(*)`;
  const from = sql`from written having count(*) > 0`;
  return sql`state as (${raiseState(call.model.schema, sql`${object.id}::uuid`, counted, { from })})`;
}

/** The before-image of the columns that really change, as `{ field id: value }`; a field of several columns is an array. */
export function beforeImage(object: ObjectDef, changed: ReadonlySet<string>): Sql {
  const entries = [...columnsByField(object)].filter(([, columns]) =>
    columns.some((column) => changed.has(column.name)),
  );
  if (entries.length === 0) return sql`'{}'::jsonb`;
  const rows = entries.map(([field, columns]) => {
    const was = columns.map((column) => sql`was.${identifier(column.name)}`);
    const is = columns.map((column) => sql`written.${identifier(column.name)}`);
    return sql`(${literal(field.id)}, ${imageOf(columns, sql`was`)}, (${join(was, ', ')}) is distinct from (${join(is, ', ')}))`;
  });
  return sql`(select coalesce(jsonb_object_agg(b.field, b.was), '{}') from (values ${join(rows, ', ')}) b (field, was, changed) where b.changed)`;
}
