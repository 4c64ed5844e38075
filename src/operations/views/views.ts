/** Views: stored columns, filters and sort of an object's table or board, personal or shared. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { changeView, createView as storeView, deleteView as dropView } from '../../records/views/change-view.ts';
import { emptyView } from '../../records/views/view.ts';
import { readView, viewsPage } from '../../records/views/views-page.ts';
import { neededObject } from '../door/needed-object.ts';
import { defineOperation, JsonText, pageText } from '../door/operation.ts';
import { givenName } from '../given-name.ts';
import { Cursor, pageSize } from '../inputs.ts';
import { PageOf } from '../outputs.ts';
import { partsGiven } from './view-parts.ts';
import { IsDraft, IsShared, Position, ViewId, ViewName, ViewOut, ViewPartsIn } from './view-shapes.ts';

/** Large enough that a person's views of one object usually fit one page. */
const viewsPageSize = pageSize(50, 100);

export const listViews = defineOperation({
  id: 'views.list',
  summary: "The caller's views and the shared ones, in their order",
  input: Type.Object(
    {
      object: Type.Optional(Type.String({ description: 'Plural name of an object: its views alone' })),
      limit: viewsPageSize.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(ViewOut),
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call, { object: name, limit, cursor }) {
    const object = name === undefined ? undefined : viewedObject(call, name);
    return pageText(await viewsPage(call, object, { limit: viewsPageSize.of(call, limit), cursor }));
  },
});

export const getView = defineOperation({
  id: 'view.get',
  summary: 'One view',
  input: Type.Object({ id: ViewId }, { additionalProperties: false }),
  output: ViewOut,
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call, { id }) {
    return new JsonText(await readView(call, id));
  },
});

export const createView = defineOperation({
  id: 'view.create',
  summary: 'Save the settings of a table or board as a view',
  input: Type.Object(
    {
      object_name: Type.String({ description: 'Plural name of the object' }),
      name: ViewName,
      ...ViewPartsIn,
      is_shared: IsShared,
      is_draft: IsDraft,
      position: Position,
    },
    { additionalProperties: false },
  ),
  output: ViewOut,
  effect: 'write',
  cost: 'global',
  async run(call, { object_name: objectName, name, is_shared: isShared, is_draft: isDraft, position, ...given }) {
    const object = viewedObject(call, objectName);
    const head = { name: givenName(name), is_shared: isShared ?? false, is_draft: isDraft ?? false, position };
    const parts = { ...emptyView, ...partsGiven(given) };
    return call.workspace.transaction(async (tx) => {
      const id = await storeView(call, tx, object, head, parts);
      return new JsonText(await readView(call, id, tx));
    });
  },
});

export const updateView = defineOperation({
  id: 'view.update',
  summary: 'Change a view; absent keys stay unchanged',
  input: Type.Object(
    { id: ViewId, name: Type.Optional(ViewName), ...ViewPartsIn, is_shared: IsShared, position: Position },
    { additionalProperties: false },
  ),
  output: ViewOut,
  effect: 'write',
  cost: 'global',
  isPartial: true,
  async run(call, { id, name, is_shared: isShared, position, ...given }) {
    const head = {
      ...(name !== undefined && { name: givenName(name) }),
      ...(isShared !== undefined && { is_shared: isShared }),
      ...(position !== undefined && { position }),
    };
    const parts = partsGiven(given);
    return call.workspace.transaction(async (tx) => {
      await changeView(call, tx, id, head, parts);
      return new JsonText(await readView(call, id, tx));
    });
  },
});

export const deleteView = defineOperation({
  id: 'view.delete',
  summary: 'Delete a view: its creator, or any admin if it is shared',
  input: Type.Object({ id: ViewId }, { additionalProperties: false }),
  output: Type.Object({ deleted: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  async run(call, { id }) {
    await call.workspace.transaction((tx) => dropView(call, tx, id));
    return { deleted: true };
  },
});

/** The object of a view. Throws INVALID_OBJECT, PERMISSION_DENIED. */
function viewedObject(call: Call, name: string) {
  return neededObject(call, { ...getView, needs: 'view', takesManaged: true }, name);
}
