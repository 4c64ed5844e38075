/** Views as the caller sees them: own and shared ones, of objects that the role shows. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { Reading } from '../../fields/field-type.ts';
import {
  booleanMember,
  datetimeMember,
  derivedReading,
  numberMember,
  quotedMember,
  reading,
  textMember,
} from '../../fields/members.ts';
import { isUuid } from '../../lib/id.ts';
import { hasRecords, objectWithId, type ObjectDef } from '../../model/model.ts';
import { join, sql, statement, type Sql } from '../../postgres/sql.ts';
import { ascendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { seenView, storedView } from './view.ts';

const byPosition = ascendingBy(sql`v.position`, 'integer');

/** The id in the database's form; throws RECORD_NOT_FOUND for invalid ones. */
export function viewId(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw errors.viewNotFound(id);
}

/** Whether the row `v` is a draft, which is not listed among the views. */
export const isDraft = sql`v.position < 0`;

/** The rows `v` that exist for the caller. */
export function visibleView(call: Call): Sql {
  return sql`(v.is_shared or v.owner_id = ${call.me}::uuid) and ${ofSeenObject(call)}`;
}

/** The rows `v` that the caller may read by id: a draft's id is in a URL, which may be sent to others. */
function readableView(call: Call): Sql {
  return sql`(v.is_shared or v.owner_id = ${call.me}::uuid or ${isDraft}) and ${ofSeenObject(call)}`;
}

function ofSeenObject({ model, visibility }: Call): Sql {
  const objects = [...model.objects.values()].filter(
    (object) => (hasRecords(object) || object.kind === 'managed') && visibility.rows(object.name) !== 'none',
  );
  return sql`v.object_id = any(${objects.map(({ id }) => id)}::uuid[])`;
}

/** Views of one object, or of all, without drafts. Throws VALIDATION_ERROR for a cursor of another list. */
export async function viewsPage(call: Call, object: ObjectDef | undefined, request: PageRequest): Promise<Page> {
  const { workspace } = call;
  const table = workspace.table('_views');
  const plan = planPage(
    call,
    {
      rows: { row: sql`v`, table, from: sql`${table} v` },
      visible: sql`${visibleView(call)} and not (${isDraft})`,
      filters: object ? [sql`v.object_id = ${object.id}::uuid`] : [],
      order: byPosition,
      identity: ['views', object?.id ?? ''],
      selection: selectionOf(readings(call)),
      beside: owner(call),
    },
    request,
  );
  const [found] = await workspace.read(plan.statement);
  return plan.read(found?.rows ?? []);
}

/** The view as JSON text, read in `tx` where it was written there. Throws RECORD_NOT_FOUND. */
export async function readView(call: Call, id: string, tx?: WorkspaceTransaction): Promise<string> {
  const selection = selectionOf(readings(call));
  const query = sql`select ${join(selection.columns, ', ')} from ${call.workspace.table('_views')} v${owner(call)}
    where v.id = ${viewId(id)}::uuid and ${readableView(call)}`;
  const found = tx ? await tx.run(query) : (await call.workspace.read(statement(query, call.model.version)))[0];
  const [row] = found?.rows ?? [];
  if (!row) throw errors.viewNotFound(id);
  return selection.json(row, 0);
}

function owner({ workspace }: Call): Sql {
  return sql` left join ${workspace.table('_users')} u on u.id = v.owner_id`;
}

function readings(call: Call): readonly Reading[] {
  return [
    reading(sql`v.id`, quotedMember('id')),
    derivedReading([sql`v.object_id`, sql`v.settings`], shownKeys, ([id, settings]) =>
      shownView(call, id ?? '', settings ?? '{}'),
    ),
    reading(sql`v.name`, textMember('name')),
    reading(sql`v.is_shared`, booleanMember('is_shared')),
    reading(isDraft, booleanMember('is_draft')),
    reading(sql`case when ${isDraft} then null else v.position end`, numberMember('position')),
    reading(sql`v.owner_id`, quotedMember('owner')),
    reading(sql`u.name`, textMember('owner_display')),
    reading(sql`v.created_at`, datetimeMember('created_at')),
    reading(sql`v.updated_at`, datetimeMember('updated_at')),
  ];
}

const shownKeys = [
  'object_name',
  'layout',
  'columns',
  'filters',
  'sort',
  'search',
  'group_by',
  'totals',
  'is_partial',
  'unavailable',
] as const;

/** The view as shown to the caller. */
function shownView(
  call: Call,
  objectId: string,
  settings: string,
): Readonly<Record<(typeof shownKeys)[number], unknown>> {
  const object = objectWithId(call.model, objectId);
  if (!object) throw new Error('A view of an object that is gone');
  const { parts, isPartial, unavailable } = seenView(call, object, storedView(settings));
  return { object_name: object.name, ...parts, is_partial: isPartial, unavailable };
}
