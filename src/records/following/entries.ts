/** History entries in the order of commits, with everything the feed may report except former values. */
import type { Call } from '../../access/call.ts';
import { isObject } from '../../lib/json.ts';
import { sql, statement, type Sql } from '../../postgres/sql.ts';
import { positionsBehind, type Position } from '../past/commit-order.ts';
import type { Action } from '../writing/leave.ts';

export interface FeedEntry {
  readonly place: Position;
  readonly objectId: string;
  readonly recordId: string;
  readonly action: Action;
  /** The ids of changed fields and links; empty unless it is an update. */
  readonly changed: readonly string[];
  /** As PostgreSQL prints it. */
  readonly at: string;
  readonly actor: { readonly id: string; readonly name: string | null } | null;
  readonly means: string;
  readonly agent: string | null;
  readonly changeSet: string;
}

/** At most `most` entries of the objects after `after`; `until` comes from `untilIn`, read by an earlier statement. */
export async function entriesBehind(
  call: Call,
  objectIds: readonly string[],
  { after, until, most }: { readonly after: Position; readonly until: string; readonly most: number },
): Promise<readonly FeedEntry[]> {
  const where = positionsBehind(sql`h`, after, until, call.model.schema);
  return entriesWhere(call, objectIds, where, most);
}

/** The objects' entries at these positions. */
export async function entriesAt(
  call: Call,
  objectIds: readonly string[],
  places: readonly Position[],
): Promise<readonly FeedEntry[]> {
  const wanted = new Map(places.map((place) => [place.id, place]));
  const where = sql`h.id = any(${[...wanted.keys()]}::bigint[])`;
  const found = await entriesWhere(call, objectIds, where, wanted.size);
  return found.filter(({ place: { epoch, tx, id } }) => wanted.get(id)?.epoch === epoch && wanted.get(id)?.tx === tx);
}

async function entriesWhere(
  { workspace, model }: Call,
  objectIds: readonly string[],
  where: Sql,
  most: number,
): Promise<readonly FeedEntry[]> {
  const query = sql`select h.epoch::text, h.tx::text, h.id::text, h.object_id, h.record_id, h.action,
      (select json_object_agg(k.key, true)::text from (
        select b.key from jsonb_object_keys(h.before) b (key) union select l.key from jsonb_object_keys(h.links) l (key)) k),
      h.at, h.actor_id, u.name, h.means, h.agent, h.change_set
    from ${workspace.table('_history')} h left join ${workspace.table('_users')} u on u.id = h.actor_id
    where ${where} and h.object_id = any(${objectIds}::uuid[])
    order by h.epoch, h.tx, h.id limit ${most}::int`;
  const [found] = await workspace.read(statement(query, model.version));
  return (found?.rows ?? []).map((row) => {
    const [epoch, tx, id, objectId, recordId, action, keys, at, actorId, name, means, agent, changeSet] = row;
    const changed: unknown = keys ? JSON.parse(keys) : {};
    return {
      place: { epoch: epoch ?? '', tx: tx ?? '', id: id ?? '' },
      objectId: objectId ?? '',
      recordId: recordId ?? '',
      action: action as Action,
      changed: isObject(changed) ? Object.keys(changed) : [],
      at: at ?? '',
      actor: actorId ? { id: actorId, name: name ?? null } : null,
      means: means ?? '',
      agent: agent ?? null,
      changeSet: changeSet ?? '',
    };
  });
}
