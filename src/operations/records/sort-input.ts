/** The sort parameters of lists of records. [spec: Records, Tasks, Notes] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { Component, describedAs, JsonTextOf, Lenient } from '../../describe/annotations.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { SortKey } from '../../query/order.ts';

export const SortInput = {
  sort: Type.Optional(Lenient(JsonTextOf(Type.Array(Component('SortKey'))), 'Up to five keys as JSON text')),
  sort_by: Type.Optional(Type.String({ description: 'One key; ignored when sort is there' })),
  sort_dir: Type.Optional(Type.String(describedAs(Type.String({ enum: ['asc', 'desc'] })))),
};

/** The default sort. Ids are in the order of creation and replace a field that the role does not see. */
export function defaultSort(
  { visibility }: Pick<Call, 'visibility'>,
  object: ObjectDef,
  field: string,
  direction: SortKey['direction'],
): readonly SortKey[] {
  return [{ field: visibility.shows(object.name, field) ? field : 'id', direction }];
}

/** The default sort of records. */
export function newestFirst(call: Pick<Call, 'visibility'>, object: ObjectDef): readonly SortKey[] {
  return defaultSort(call, object, 'created_at', 'desc');
}
