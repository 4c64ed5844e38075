/**
 * What every write leaves beside the record, and nobody else writes: its history row and the object's new version. One
 * transaction, one statement, no triggers. History holds what was before, keyed by field id; links are pairs added and removed, and the places of those that moved.
 */
import type { Call, Means } from '../../access/call.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
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

/** The same as part of an entry. */
export function linksOf(links: WrittenLinks | undefined): Pick<Entry, 'links'> {
  return links ? { links: sql`${links.changes}::jsonb` } : {};
}

/** Who writes, by what means, and what the write is a part of. */
export interface Author {
  readonly model: Model;
  /** Null for what the service does by itself. */
  readonly actorId: string | null;
  readonly tokenId: string | null;
  readonly agent: string | null;
  readonly means: Means;
  readonly changeSet: string;
  /** The id of the operation or the kind of the job. */
  readonly operation: string;
  /** As the answer's `X-Request-Id` has it; null where there was no request. */
  readonly request: string | null;
}

/** The caller as the author of what its call writes. */
export function authorOf({ model, caller, agent, means, changeSet, operation, request }: Call): Author {
  return {
    model,
    actorId: caller.workspaceUserId,
    tokenId: caller.tokenId,
    agent: agent ?? null,
    means,
    changeSet,
    operation,
    request: request ?? null,
  };
}

/** What a write did to each row of the clause `written`, which has a column `id`. */
export interface Entry {
  /** What the rows are records of: an object, or something else that history knows by an id. */
  readonly objectId: string;
  readonly action: Action;
  /** Over `written` (and `was`): the before-image; absent for a create, which has none. */
  readonly before?: Sql;
  /** Over `written`: `LinkChanges`. */
  readonly links?: Sql;
}

/** What a write of records leaves: `rows` is what each row of `written` adds to the number of the object's records. */
export function leave(author: Author, entry: Entry, rows: 1 | 0 | -1): readonly Sql[] {
  const counted = sql`${rows}::bigint * count(*)`;
  const from = sql`from written having count(*) > 0`;
  const state = raiseState(author.model.schema, sql`${entry.objectId}::uuid`, counted, { from });
  // Last: this is the row that others wait for.
  return [leaveEntry(author, entry), sql`state as (${state})`];
}

/** The entry alone: where versions are raised at the end of a transaction, once each, or where there are none. */
export function leaveEntry(author: Author, { objectId, action, before, links }: Entry): Sql {
  const { model, actorId, tokenId, agent, means, changeSet, operation, request } = author;
  return sql`history as (insert into ${identifier(model.schema, '_history')}
    (object_id, record_id, action, before, links, actor_id, token_id, agent, means, change_set, operation, request, epoch, tx, at)
    select ${objectId}::uuid, written.id, ${action}::text, ${before ?? sql`null::jsonb`}, ${links ?? sql`null::jsonb`},
      ${actorId}::uuid, ${tokenId}::uuid, ${agent}::text, ${means}::text, ${changeSet}::uuid, ${operation}::text, ${request}::text,
      ${model.epoch}::bigint, pg_current_xact_id(), clock_timestamp()
    from written order by written.id)`;
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
