/** Creates, changes and deletes views: admins the shared ones, others only their own. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import { caps, takePlace } from '../../model/caps.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { instant, sql, type Sql } from '../../postgres/sql.ts';
import { changedView, storedView, viewToStore, type StoredView, type ViewParts } from './view.ts';
import { isDraft, viewId, visibleView } from './views-page.ts';

/** The settings of a view besides what it shows. */
export interface ViewHead {
  readonly name: string;
  readonly is_shared: boolean;
  readonly position: number;
}

/** The settings of a new view: a draft has no position and is private. */
interface NewHead extends Omit<ViewHead, 'position'> {
  readonly position?: number | undefined;
  readonly is_draft: boolean;
}

/**
 * Creates a view of the caller's, last unless a position is given, and returns its id. Throws as `viewToStore`,
 * PERMISSION_DENIED, and VALIDATION_ERROR at the cap; a new draft instead replaces the oldest.
 */
export async function createView(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  head: NewHead,
  parts: ViewParts,
): Promise<string> {
  if (head.is_draft && (head.is_shared || head.position !== undefined))
    throw errors.validation('A draft is its maker’s and has no position: leave out is_shared and position');
  if (head.is_shared) requireAdmin(call, 'make');
  const settings = viewToStore(call, object, parts);
  const table = call.workspace.table('_views');
  const own = sql`owner_id = ${call.me}::uuid and object_id = ${object.id}::uuid`;
  if (head.is_draft) await dropOldDrafts(tx, table, own);
  else
    await takePlace((query) => tx.run(query), call.model.schema, {
      what: 'views of one person for one object',
      most: caps.viewsOfObject,
      existing: sql`select from ${table} where ${own} and position >= 0`,
    });
  const id = newId();
  const at = instant(call.now);
  const position = head.is_draft ? placeOfDrafts : (head.position ?? (await behindAll(call, tx, object)));
  await tx.run(sql`insert into ${table} (id, object_id, owner_id, name, is_shared, position, settings, created_at, updated_at)
    values (${id}::uuid, ${object.id}::uuid, ${call.me}::uuid, ${head.name}, ${head.is_shared}, ${position}::int,
      ${JSON.stringify(settings)}, ${at}, ${at})`);
  return id;
}

/** Deletes the oldest drafts of these rows, to leave room for one. */
async function dropOldDrafts(tx: WorkspaceTransaction, table: Sql, own: Sql): Promise<void> {
  await tx.run(sql`delete from ${table} where ${own} and position < 0 and id not in (
    select id from ${table} where ${own} and position < 0 order by created_at desc, id desc limit ${caps.draftsOfObject - 1}::int)`);
}

/** The position after all visible views; a separate statement, since Citus cannot insert a subquery's result. */
async function behindAll(call: Call, tx: WorkspaceTransaction, object: ObjectDef): Promise<number> {
  const { rows } = await tx.run(sql`select max(v.position) from ${call.workspace.table('_views')} v
    where ${visibleView(call)} and v.object_id = ${object.id}::uuid`);
  const [last] = rows[0] ?? [];
  return last === null || last === undefined ? 0 : Math.min(Number(last) + 1, lastPosition);
}

/**
 * Changes the given settings. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR for a draft, and as
 * `viewToStore`.
 */
export async function changeView(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  head: Partial<ViewHead>,
  parts: Partial<ViewParts>,
): Promise<void> {
  const found = await locked(call, tx, id);
  if (found.isDraft)
    throw errors.validation('A draft stays as it is, since its address may be kept: make a view of it');
  if (found.isShared || head.is_shared) requireAdmin(call, 'change');
  if (found.isShared && head.is_shared === false && found.ownerId !== call.me)
    throw errors.permissionDenied('Only its creator can make a shared view private; other admins can delete it');
  const { object, stored } = found;
  const settings = Object.keys(parts).length > 0 ? JSON.stringify(changedView(call, object, stored, parts)) : null;
  await tx.run(sql`update ${call.workspace.table('_views')} set
    name = coalesce(${head.name ?? null}::text, name),
    is_shared = coalesce(${head.is_shared ?? null}::boolean, is_shared),
    position = coalesce(${head.position ?? null}::int, position),
    settings = coalesce(${settings}::text, settings), updated_at = ${instant(call.now)}
    where id = ${viewId(id)}::uuid`);
}

/** Deletes a view. Throws RECORD_NOT_FOUND, and PERMISSION_DENIED for a shared one unless the caller is an admin. */
export async function deleteView(call: Call, tx: WorkspaceTransaction, id: string): Promise<void> {
  const { isShared } = await locked(call, tx, id);
  if (isShared) requireAdmin(call, 'delete');
  await tx.run(sql`delete from ${call.workspace.table('_views')} where id = ${viewId(id)}::uuid`);
}

/** The largest position; the first is 0. */
export const lastPosition = 1_000_000;
const placeOfDrafts = -1;

function requireAdmin({ visibility }: Call, verb: string): void {
  if (!visibility.isAdmin) throw errors.permissionDenied(`Shared views are for all: only admins may ${verb} them`);
}

interface LockedView {
  readonly object: ObjectDef;
  readonly stored: StoredView;
  readonly ownerId: string;
  readonly isShared: boolean;
  readonly isDraft: boolean;
}

async function locked(call: Call, tx: WorkspaceTransaction, id: string): Promise<LockedView> {
  const { rows } = await tx.run(sql`select v.object_id, v.settings, v.owner_id, v.is_shared, ${isDraft}
    from ${call.workspace.table('_views')} v where v.id = ${viewId(id)}::uuid and ${visibleView(call)} for update of v`);
  const [objectId = '', settings, ownerId, isShared, draft] = rows[0] ?? [];
  const object = objectWithId(call.model, objectId ?? '');
  if (!object) throw errors.viewNotFound(id);
  const stored = storedView(settings ?? '{}');
  return { object, stored, ownerId: ownerId ?? '', isShared: isShared === 't', isDraft: draft === 't' };
}
