/** The trash, latest first: the trashed records that the caller may view and delete. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import { datetimeMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { descendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { labelOf } from '../../query/read-scope.ts';
import { selectionOf } from '../../query/selection.ts';
import { showsActors } from '../past/past.ts';
import { trashedRow } from '../writing/trash.ts';
import { userReading } from './user-reading.ts';

/** A page of the trash. Throws VALIDATION_ERROR for a cursor of another list. */
export async function trashPage(call: Call, object: ObjectDef, request: PageRequest): Promise<Page> {
  const { workspace } = call;
  const scope = objectScope(call, object, 't');
  const table = workspace.table(object.table);
  const plan = planPage(
    call,
    {
      rows: { row: scope.row, table, from: sql`${table} t` },
      visible: trashedRow(call, scope),
      filters: [],
      order: latestFirst,
      identity: ['trash', object.id],
      selection: selectionOf([
        reading(sql`t.id`, quotedMember('id')),
        reading(labelOf(scope) ?? sql`null::text`, { ...textMember('display'), mostBytes: Infinity }),
        reading(sql`t.deleted_at`, datetimeMember('deleted_at')),
        userReading('deleted_by'),
      ]),
      beside: sql` left join lateral (${deleterOf(call, object)}) d on true
        left join ${workspace.table('_users')} u on u.id = d.actor_id`,
    },
    request,
  );
  const [found] = await workspace.read(plan.statement);
  return plan.read(found?.rows ?? []);
}

const latestFirst = descendingBy(sql`t.deleted_at`, 'timestamptz');

/** The deleting user; null where the role may not know. */
function deleterOf(call: Call, object: ObjectDef): Sql {
  if (!showsActors(call, object)) return sql`select null::uuid as actor_id`;
  return sql`select h.actor_id from ${call.workspace.table('_history')} h
    where h.record_id = t.id and h.action = 'delete' order by h.id desc limit 1`;
}
