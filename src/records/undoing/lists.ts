/** Restores lists to their state before a change set: their settings and their entries. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import type { StoredField } from '../../model/definition.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import { changeList, createList, deleteList, type ListChanges } from '../lists/change-list.ts';
import { listsObjectId } from '../lists/list-history.ts';
import { listIfThere, type StoredList } from '../lists/stored-list.ts';
import { entriesSince, type Undoing, type Written } from './change-set.ts';
import { putEntriesBack, takeEntriesOff } from './list-entries.ts';
import { Outcome } from './outcome.ts';
import { tracesOf, type Trace } from './trace.ts';

/** The name of lists among the objects of an answer. */
const listsName = 'lists';

/** Records leave lists before they are trashed, and are added after they are restored. */
export type ListStep = 'before records' | 'after records';

/** Restores one list. */
export async function undoList(call: Call, undoing: Undoing, written: Written, step: ListStep): Promise<Outcome> {
  const id = written.recordId;
  const outcome = new Outcome(listsName);
  try {
    return await call.workspace.transaction(async (tx) => {
      const inside = new Outcome(listsName);
      const stored = await listIfThere(call, tx, id, 'change');
      const entries = await entriesSince(call, tx, undoing, listsObjectId, [written]);
      const trace = (await tracesOf(entries, new Map())).get(id);
      if (!trace) return inside;
      const list = await whereItWas(call, tx, id, stored, trace, step, inside);
      if (!list) return inside;
      if (step === 'before records') await takeEntriesOff(call, tx, list, trace, inside);
      else {
        if (stored) await putTextsBack(call, tx, list, trace, inside);
        await putEntriesBack(call, tx, list, trace, inside);
      }
      return inside;
    });
  } catch (error) {
    if (!(error instanceof KithError) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL_ERROR') throw error;
    outcome.refuse(id, error);
    return outcome;
  }
}

/** Recreates or deletes the list, if the change set did the opposite. Returns the list that exists then. */
async function whereItWas(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  stored: StoredList | undefined,
  trace: Trace,
  step: ListStep,
  outcome: Outcome,
): Promise<StoredList | undefined> {
  const { was, touched } = trace;
  if (was === 'absent' && stored && step === 'before records') {
    if (touched.size > 0) outcome.leave(id, 'changed_since');
    else if (!call.visibility.isAdmin) outcome.leave(id, 'not_allowed');
    else {
      await deleteList(call, tx, id);
      outcome.undone.add(id);
    }
  }
  if (was === 'absent') return undefined;
  if (was !== 'present' || stored || step === 'before records') return stored;
  if (!call.visibility.isAdmin) throw errors.adminOnly('Making a list');
  const text = (key: string) => textOf(trace.values.get(key));
  const made = await createList(
    call,
    tx,
    {
      name: text('name') ?? '',
      description: text('description'),
      icon_name: text('icon_name'),
      color: text('color'),
      objects: objectsOf(call, trace.values.get('object_types')),
      fields: fieldsOf(trace.values.get('fields')),
    },
    { id, createdBy: text('created_by'), createdAt: text('created_at') },
  );
  outcome.undone.add(id);
  return made;
}

async function putTextsBack(
  call: Call,
  tx: WorkspaceTransaction,
  list: StoredList,
  { values, lost }: Trace,
  outcome: Outcome,
): Promise<void> {
  if (lost.size > 0) outcome.leave(list.id, 'changed_since', [...lost]);
  if (values.size === 0) return;
  if (!call.visibility.isAdmin) {
    outcome.leave(list.id, 'not_allowed', [...values.keys()]);
    return;
  }
  const { name, ...texts } = Object.fromEntries(
    (['name', 'description', 'icon_name', 'color'] as const)
      .filter((key) => values.has(key))
      .map((key) => [key, textOf(values.get(key))]),
  );
  const changes: ListChanges = {
    ...texts,
    ...(typeof name === 'string' && { name }),
    ...(values.has('object_types') && { objects: objectsOf(call, values.get('object_types')) }),
    ...(values.has('fields') && { fields: () => fieldsOf(values.get('fields')) }),
  };
  await changeList(call, tx, list.id, changes);
  outcome.undone.add(list.id);
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Deleted objects are left out. */
function objectsOf({ model }: Call, ids: Json | undefined): readonly ObjectDef[] {
  return Array.isArray(ids) ? ids.flatMap((id) => (typeof id === 'string' && objectWithId(model, id)) || []) : [];
}

function fieldsOf(fields: Json | undefined): readonly StoredField[] {
  return (Array.isArray(fields) ? fields : []) as unknown as readonly StoredField[]; // as stored in the list
}
