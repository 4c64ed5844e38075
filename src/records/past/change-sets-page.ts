/** Change sets, latest first: the caller's own, or all for an admin, as far as it sees what they wrote. */
import type { Call } from '../../access/call.ts';
import { datetimeMember, numberMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, or, sql, type Sql } from '../../postgres/sql.ts';
import { visibleAttributes } from '../../query/attributes.ts';
import { objectScope } from '../../query/object-scope.ts';
import { descendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { admitsAll, visibleRow } from '../../query/where.ts';
import { listsObjectId } from '../lists/list-history.ts';
import { visibleList } from '../lists/stored-list.ts';
import { userReading } from '../reading/user-reading.ts';
import { trashedRow, trashMs } from '../writing/trash.ts';

export interface ChangeSetsRequest extends PageRequest {
  /** ISO 8601; defaults to the trash's retention period. */
  readonly since?: string | undefined;
  /** A user's id. */
  readonly actor?: string | undefined;
  /** A single change set, however old. */
  readonly id?: string | undefined;
}

/**
 * Each is represented by its first entry that the caller sees. Throws VALIDATION_ERROR for a cursor of another list.
 */
export async function changeSetsPage(call: Call, { since, actor, id, ...request }: ChangeSetsRequest): Promise<Page> {
  const { workspace, visibility } = call;
  const table = workspace.table('_history');
  const seen = (p: Sql) => seenEntry(call, p);
  const begin = since ?? (id === undefined ? new Date(call.now - trashMs).toISOString() : undefined);
  const within = (p: Sql) =>
    and([
      seen(p),
      ...(begin === undefined ? [] : [sql`${p}.at >= ${begin}::timestamptz`]),
      ...(actor === undefined ? [] : [sql`${p}.actor_id = ${actor}::uuid`]),
      ...(id === undefined ? [] : [sql`${p}.change_set = ${id}::uuid`]),
    ]);
  // Of consecutive entries only the first is examined: a set of ten thousand is mostly one such run.
  const runs = (
    behind: Sql,
  ) => sql`(select r.* from (select h.change_set as id, h.id as first, h.change_set, h.object_id, h.record_id,
      h.action, h.before, h.links, h.actor_id, h.token_id, h.agent, h.means, h.operation, h.at,
      lead(h.change_set) over (order by h.id desc) as set_before
    from ${table} h where ${and([within(sql`h`), behind])}) r where r.set_before is distinct from r.change_set)`;
  // `not exists` stops at the first earlier entry: as a join, each run would be compared with the whole set.
  const isFirst = sql`not exists (select from ${table} e
    where e.change_set = c.change_set and e.id < c.first and ${seen(sql`e`)} offset 0)`;
  const plan = planPage(
    call,
    {
      rows: (position) => ({
        row: sql`c`,
        table,
        from: sql`${runs(position === undefined ? sql`true` : sql`h.id < ${position.keys[0] ?? null}::bigint`)} c`,
      }),
      visible: isFirst,
      filters: [],
      // `group by` counts in memory; `count(distinct …)` scans the index of all sets, entry by entry.
      total: sql`select count(*) as total from (select from ${table} e where ${within(sql`e`)} group by e.change_set) s`,
      order: latestFirst,
      identity: ['change_sets', since ?? null, actor ?? null, id ?? null],
      selection: selectionOf([
        reading(sql`c.id`, quotedMember('id')),
        reading(sql`c.at`, datetimeMember('at')),
        userReading('actor'),
        reading(sql`c.means`, textMember('means')),
        reading(sql`c.agent`, textMember('agent')),
        ...(visibility.isAdmin ? [reading(sql`k.name`, textMember('token'))] : []),
        reading(sql`c.operation`, textMember('operation')),
        reading(sql`n.writes`, numberMember('writes')),
        reading(sql`n.records`, numberMember('records')),
      ]),
      beside: sql` left join ${workspace.table('_users')} u on u.id = c.actor_id
        left join ${workspace.table('_tokens')} k on k.id = c.token_id
        left join lateral (select count(*) as writes, count(distinct e.record_id) as records
          from ${table} e where e.change_set = c.id and ${seen(sql`e`)}) n on true`,
    },
    request,
  );
  const found = await workspace.readOnPlainClient(plan.statement);
  return plan.read(found.rows);
}

const latestFirst = { ...descendingBy(sql`c.first`, 'bigint'), isCounter: true } as const;

/** Whether the entry `p` is the caller's, or anybody's for an admin, and about something that it sees. */
export function seenEntry(call: Call, p: Sql): Sql {
  const { visibility, me, model, workspace } = call;
  const list = sql`(${p}.object_id = ${listsObjectId}::uuid and exists (select from ${workspace.table('_lists')} l
    where l.id = ${p}.record_id and ${visibleList(call, sql`l`)}))`;
  const objects = [...model.objects.values()].filter(
    ({ kind, name }) => kind !== 'internal' && visibility.rows(name) !== 'none',
  );
  if (visibility.isAdmin) {
    // Objects of which some records do not exist for everybody.
    const hidden = objects.filter((object) => !admitsAll(visibility.rows(object.name), object));
    return and(hidden.map((object) => sql`(${p}.object_id <> ${object.id}::uuid or ${seenRecord(call, object, p)})`));
  }
  const one = (object: ObjectDef) => sql`(${p}.object_id = ${object.id}::uuid and ${seenRecord(call, object, p)})`;
  return and([sql`${p}.actor_id = ${me}::uuid`, or([list, ...objects.map(one)])]);
}

/** Whether the caller sees the record, trashed or not, and some of its changed fields. */
function seenRecord(call: Call, object: ObjectDef, p: Sql): Sql {
  const { visibility, workspace } = call;
  const scope = objectScope(call, object, 't');
  const isSeen = admitsAll(visibility.rows(object.name), object)
    ? []
    : [
        sql`exists (select from ${workspace.table(object.table)} t
          where t.id = ${p}.record_id and ${or([visibleRow(scope), trashedRow(call, scope)])})`,
      ];
  const shown = visibleAttributes(object, visibility);
  if (shown.length < object.attributes.size) {
    const ids = shown.map(({ id }) => id);
    isSeen.push(
      sql`(${p}.action not in ('update', 'unlink') or ${p}.before ?| ${ids}::text[] or coalesce(${p}.links ?| ${ids}::text[], false))`,
    );
  }
  return isSeen.length === 0 ? sql`true` : and(isSeen);
}
