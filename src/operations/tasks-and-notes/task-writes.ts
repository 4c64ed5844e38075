/** Writes tasks: derived values, links, and notifications. [spec: Task; Events] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes, shortened } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isDay } from '../../fields/local-time.ts';
import { instantText } from '../../fields/types/datetime.ts';
import { newId } from '../../lib/id.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql } from '../../postgres/sql.ts';
import { changeRows, lockForChange } from '../../records/writing/change-rows.ts';
import { createRows } from '../../records/writing/create-rows.ts';
import { decodeValues, writingOf, type Decoded } from '../../records/writing/decode.ts';
import { fillNewRecord } from '../../records/writing/defaults.ts';
import type { ExpectedStates } from '../../records/writing/etag.ts';
import { isAsExpected } from '../../records/writing/expect-state.ts';
import { requireLinked } from '../../records/writing/linked-records.ts';
import { refuseHugeTexts } from '../../records/writing/record-size.ts';
import { throwRefusal } from '../../records/writing/row-write.ts';
import { keysNotStored, StaleState, namingClashes } from '../../records/writing/update.ts';
import { activeUsers } from '../people/active-users.ts';
import { writtenLinks, type LinkedEntity } from './linked-entities.ts';
import { notifyingTransaction, type Notify } from '../following/notifying.ts';
import { keysFor, type WrittenKeys } from './written-keys.ts';

/** The keys of a write, with their fields. */
const taskKeys: WrittenKeys = {
  title: 'title',
  due_date: 'due_date',
  priority: 'priority',
  assigned_to_id: 'assigned_to_id',
  action_type: 'action_type',
  linked_entities: null,
};

/** The values of a task in a request; any other key is a mistake. */
export interface GivenTask {
  readonly title?: unknown;
  readonly due_date?: unknown;
  readonly priority?: unknown;
  readonly action_type?: unknown;
  readonly assigned_to_id?: unknown;
  readonly linked_entities?: readonly LinkedEntity[];
}

/**
 * Creates the task and returns its id. Throws VALIDATION_ERROR with all problems, PERMISSION_DENIED, and RECORD_NOT_FOUND
 * for a linked record that does not exist.
 */
export async function makeTask(call: Call, object: ObjectDef, given: GivenTask): Promise<string> {
  const id = newId();
  const mistakes = new Mistakes();
  const writing = writingOf(call, object);
  addUnknown(call, object, strangersIn(call, object, given), mistakes);
  const decoded = await decode(call, object, given, mistakes);
  await fillNewRecord(call, object, decoded, writing.context, mistakes);
  mistakes.refuse();
  const assignee = cellOf(decoded, object, 'assigned_to_id') ?? null;
  set(decoded, object, 'assigned_by_id', assignee === null ? null : call.me);
  await notifyingTransaction(call, async (tx, notify) => {
    await requireLinked(call, tx, id, decoded.links);
    await requireAssignable(call, tx, assignee);
    await notify(object, id, 'task_assigned', [assignee]);
    await createRows(call, tx, object, [{ ...decoded, id }]);
  });
  return id;
}

/**
 * Changes the given values; further keys may repeat stored values. Throws as `makeTask`, RECORD_NOT_FOUND, and CONFLICT if
 * its ETag is not among the expected ones.
 */
export async function changeTask(
  call: Call,
  object: ObjectDef,
  id: string,
  given: GivenTask,
  expected: ExpectedStates,
): Promise<void> {
  const { linked_entities: _links, ...values } = given;
  await namingClashes(call, object, id, values as JsonObject, async () => {
    const decoded = await decodeChange(call, object, id, given, expected);
    await notifyingTransaction(call, async (tx, notify) => {
      const task = await lockTask(call, tx, object, id, expected);
      if (repeatsDue(object, decoded, given, task)) unset(decoded, object, ['due_date', 'due_all_day']);
      const assignee = cellOf(decoded, object, 'assigned_to_id');
      const isReassigned = assignee !== undefined && assignee !== task.assigned_to_id;
      if (isReassigned) {
        await requireAssignable(call, tx, assignee);
        set(decoded, object, 'assigned_by_id', assignee === null ? null : call.me);
      }
      await requireLinked(call, tx, id, decoded.links);
      if (isReassigned) await notify(object, id, 'task_assigned', [assignee]);
      if (decoded.cells.size + decoded.links.size > 0) await changeRows(call, tx, object, [{ ...decoded, id }]);
    });
  });
}

async function decodeChange(
  call: Call,
  object: ObjectDef,
  id: string,
  given: GivenTask,
  expected: ExpectedStates,
): Promise<Decoded> {
  const mistakes = new Mistakes();
  const strangers = strangersIn(call, object, given);
  if (strangers.length > 0) {
    const others = await keysNotStored(call, object, id, given as JsonObject, strangers, expected);
    addUnknown(call, object, others, mistakes);
  }
  const decoded = await decode(call, object, given, mistakes);
  await refuseHugeTexts(object, decoded);
  mistakes.refuse();
  return decoded;
}

/** Whether `due_date` only repeats the stored moment: then `due_all_day` stays as it is. */
function repeatsDue(object: ObjectDef, decoded: Decoded, { due_date: due }: GivenTask, task: LockedTask): boolean {
  return typeof due === 'string' && !isDay(due.trim()) && cellOf(decoded, object, 'due_date') === task.due_date;
}

/**
 * Completes or reopens the task. A task already in that state is left unchanged, with its timestamps and without
 * notifications. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, and CONFLICT if its ETag is not among the expected ones.
 */
export async function setCompleted(
  call: Call,
  object: ObjectDef,
  id: string,
  isCompleted: boolean,
  expected: ExpectedStates,
): Promise<void> {
  if (!call.visibility.writes(object.name, 'is_completed'))
    throw errors.permissionDenied('Your role may not complete or reopen tasks');
  const change = { id, cells: new Map(), links: new Map(), byStep: new Set<FieldDef>() };
  set(change, object, 'is_completed', String(isCompleted));
  set(change, object, 'completed_at', isCompleted ? new Date(call.now).toISOString() : null);
  set(change, object, 'completed_by', isCompleted ? call.me : null);
  const complete = async (tx: WorkspaceTransaction, notify: Notify) => {
    const task = await lockTask(call, tx, object, id, expected);
    if ((task.is_completed === 't') === isCompleted) return;
    if (isCompleted) await notify(object, id, 'task_completed', [task.assigned_by_id, task.created_by]);
    await changeRows(call, tx, object, [change]);
  };
  await namingClashes(call, object, id, { is_completed: isCompleted }, () => notifyingTransaction(call, complete));
}

/** Decodes the values to cells and links; problems go into `mistakes`. Throws PERMISSION_DENIED for a field that the role may not write. */
async function decode(call: Call, object: ObjectDef, given: GivenTask, mistakes: Mistakes): Promise<Decoded> {
  const { linked_entities: entities } = given;
  const known = keysFor(call, object, taskKeys).filter((key) => key !== 'linked_entities');
  const fields = Object.entries(given as JsonObject).filter(([name]) => known.includes(name));
  const values: JsonObject = { ...Object.fromEntries(fields), ...(entities && writtenLinks(call, object, entities)) };
  const decoded = await decodeValues(writingOf(call, object), values, mistakes);
  const due = values['due_date'];
  if (cellOf(decoded, object, 'due_date') !== undefined) set(decoded, object, 'due_all_day', allDay(due ?? null));
  return decoded;
}

/** The keys that the caller may not write to a task. */
function strangersIn(call: Call, object: ObjectDef, given: GivenTask): readonly string[] {
  const known = keysFor(call, object, taskKeys);
  return Object.keys(given).filter((key) => !known.includes(key));
}

/** Adds the unknown keys to `mistakes`, suggesting only keys that the role may know. */
function addUnknown(call: Call, object: ObjectDef, names: readonly string[], mistakes: Mistakes): void {
  const known = keysFor(call, object, taskKeys);
  for (const name of names)
    mistakes.addUnknown(() => ({ field: shortened(name), message: refusalOf(call, object, name, known) }), known);
}

/** The reason why a write does not take the key, and what to do instead. */
function refusalOf({ visibility }: Call, object: ObjectDef, name: string, known: readonly string[]): string {
  const field = visibility.shows(object.name, name) ? object.attributes.get(name) : undefined;
  if (!field) return `${shortened(name)} is not a field of ${object.name}${didYouMean(name, known)}`;
  if (name === 'is_completed') return 'is_completed is not written: PUT /api/v1/tasks/{id}/complete completes a task';
  if (name === 'owner') return 'owner is not written: it is who made the task';
  return field.linkTable === undefined ? `${name} is read-only` : `${name} is written as linked_entities`;
}

/** A day without a time is due all day. */
function allDay(due: Json): Cell {
  return due === null ? null : String(typeof due === 'string' && isDay(due.trim()));
}

const lockedFields = ['due_date', 'is_completed', 'assigned_to_id', 'assigned_by_id', 'created_by'] as const;
type LockedTask = Readonly<Record<(typeof lockedFields)[number], Cell>>;

/** Locks the task, checks the caller's right, and returns its stored values. */
async function lockTask(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
  expected: ExpectedStates,
): Promise<LockedTask> {
  throwRefusal(await lockForChange(call, tx, object, [id]));
  if (!(await isAsExpected(call, tx, object, id, expected))) throw new StaleState();
  const columns = lockedFields.map((name) =>
    name === 'due_date' ? instantText(sql`t.due_date`) : sql`t.${identifier(name)}`,
  );
  const { rows } = await tx.run(
    sql`select ${join(columns, ', ')} from ${call.workspace.table(object.table)} t where t.id = ${id}::uuid`,
  );
  return Object.fromEntries(lockedFields.map((name, at) => [name, rows[0]?.[at] ?? null])) as LockedTask;
}

/** Throws VALIDATION_ERROR if the user does not exist or is not active. */
async function requireAssignable(call: Call, tx: WorkspaceTransaction, userId: Cell): Promise<void> {
  if (userId === null || userId === call.me) return;
  if ((await activeUsers(call, tx, [userId])).has(userId)) return;
  const message = 'assigned_to_id must be the id of an active workspace user';
  throw errors.validation(message, [{ field: 'assigned_to_id', message }]);
}

/** The first cell of the field that is set; undefined if none is. */
function cellOf({ cells }: Pick<Decoded, 'cells'>, object: ObjectDef, name: string): Cell | undefined {
  const field = object.attributes.get(name);
  const set = field && cells.get(field);
  return set && (set[0] ?? null);
}

function set({ cells }: Pick<Decoded, 'cells'>, object: ObjectDef, name: string, cell: Cell): void {
  const field = object.attributes.get(name);
  if (!field) throw new Error(`${object.name} has no field ${name}`);
  cells.set(field, [cell]);
}

function unset({ cells }: Pick<Decoded, 'cells'>, { attributes }: ObjectDef, names: readonly string[]): void {
  for (const [name, field] of attributes) if (names.includes(name)) cells.delete(field);
}
