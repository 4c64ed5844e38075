/** The form of records in lists: managed objects have a form of their own. */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Shown } from '../../query/paging.ts';
import { noteSelection } from '../tasks-and-notes/note-output.ts';
import { taskSelection } from '../tasks-and-notes/tasks.ts';

/** The object, and what to select of its records if not their fields. */
export function shownInLists(call: Call, object: ObjectDef): { readonly object: ObjectDef; readonly shown?: Shown } {
  if (object.kind !== 'managed') return { object };
  return { object, shown: object.name === 'tasks' ? taskSelection(call, object) : noteSelection(call, object) };
}
