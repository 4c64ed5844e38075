/** [spec: Tasks] Tasks, which can be linked to records. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { describedAs, Lenient } from '../../describe/annotations.ts';
import { errors } from '../../errors.ts';
import { FieldProblem } from '../../fields/field-problem.ts';
import { decodeId } from '../../fields/reference.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { FilterCondition, FilterGroup, ObjectDef } from '../../model/model.ts';
import { parseSort } from '../../query/order.ts';
import type { Shown } from '../../query/paging.ts';
import { planTally } from '../../query/plan-tally.ts';
import { asStored, shownAs } from '../../query/shown-as.ts';
import { listPage } from '../../records/reading/list-page.ts';
import { recordId } from '../../records/reading/named.ts';
import { fieldError } from '../../records/writing/decode.ts';
import { expectedStates } from '../../records/writing/etag.ts';
import { defineManagedOperation, pageText } from '../door/operation.ts';
import { FilterInput, filtersOf } from '../records/filter-input.ts';
import { Choice, Cursor, IfMatch, RecordId, recordPage } from '../inputs.ts';
import { linkableObjects, LinkedEntities, linkedEntities, LinkedEntitiesOut, linkedTo } from './linked-entities.ts';
import { defineDeletion, readManaged } from './managed-record.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';
import { SortInput, defaultSort } from '../records/sort-input.ts';
import { completed, completedToday, dueThisWeek, taskModes, tasksIn } from './task-times.ts';
import { changeTask, makeTask, setCompleted } from './task-writes.ts';

const manages = 'tasks';

const priorities = ['low', 'medium', 'urgent'];
const actionTypes = ['call', 'email', 'meeting', 'linkedin_message', 'whatsapp_message'];

/** The fields of a task in answers, as stored. */
const shown = {
  id: Id,
  title: Type.String(),
  due_date: Nullable(Time),
  due_all_day: Nullable(Type.Boolean({ description: 'Whether due_date is a day: the task is due until its end' })),
  priority: Nullable(Type.String({ enum: priorities })),
  action_type: Nullable(Type.String({ enum: actionTypes })),
  is_completed: Type.Boolean(),
  assigned_to_id: Nullable(Id),
  assigned_by_id: Nullable(Id),
  completed_at: Nullable(Time),
  completed_by: Nullable(Id),
  created_by: Nullable(Id),
  created_at: Time,
  updated_at: Time,
};
/** Fields that the role hides are absent. */
const Task = Type.Partial(Type.Object(shown));

/** Lenient: the engine reports all invalid values and unknown keys at once. */
const Values = {
  title: Type.Optional(Lenient(Type.String(), 'Required for a new one')),
  due_date: Type.Optional(Lenient(Nullable(Type.String()), 'A day such as 2026-01-31, or a time')),
  priority: Type.Optional(Lenient(Nullable(Type.String({ enum: priorities })))),
  assigned_to_id: Type.Optional(Lenient(Nullable(Id), 'A workspace user; null for nobody')),
  action_type: Type.Optional(Lenient(Nullable(Type.String({ enum: actionTypes })))),
  linked_entities: LinkedEntities,
};
const Done = (...actions: string[]) => Type.Object({ task_id: Id, action: Type.String({ enum: actions }) });

export const listTasks = defineManagedOperation({
  id: 'tasks.list',
  summary: 'A page of tasks',
  input: Type.Object(
    {
      mode: Type.Optional(Choice(taskModes, 'all')),
      assigned_to: Type.Optional(Type.String(describedAs({ ...Id, description: 'A workspace user' }))),
      priority: Type.Optional(Type.String(describedAs(Type.String({ enum: priorities })))),
      action_type: Type.Optional(Type.String(describedAs(Type.String({ enum: actionTypes })))),
      linked_entity_id: Type.Optional(Type.String({ description: 'A record that they are linked to' })),
      linked_entity_type: Type.Optional(Type.String(describedAs(Type.String({ enum: [...linkableObjects] })))),
      filters: FilterInput.filters,
      ...SortInput,
      cursor: Cursor,
      limit: recordPage.input,
    },
    { additionalProperties: false },
  ),
  output: PageOf(Task),
  needs: 'view',
  manages,
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const { mode = 'all' } = input;
    const due = tasksIn(mode, call);
    const page = await listPage(call, object, {
      where: [
        ...filtersOf({ filters: input.filters }),
        ...equalities({
          assigned_to_id: userIn('assigned_to', input.assigned_to),
          priority: input.priority,
          action_type: input.action_type,
        }),
        ...[linkedTo(object, input.linked_entity_type, input.linked_entity_id, 'linked_entity_type')].filter(
          (part) => part !== undefined,
        ),
      ],
      timed: due && { name: mode, where: due },
      sort: parseSort(input as JsonObject, defaultSort(call, object, 'due_date', 'asc'), call.warn),
      limit: recordPage.of(call, input.limit),
      cursor: input.cursor,
      shown: taskSelection(call, object),
    });
    return pageText(page);
  },
});

/** The selection of a task's fields that the caller may see. */
export function taskSelection(call: Call, object: ObjectDef): Shown {
  return shownAs(call, object, Object.keys(shown), asStored);
}

/** A user id in a parameter. Throws VALIDATION_ERROR for an invalid id. */
function userIn(name: string, given: string | undefined): string | undefined {
  if (given === undefined || given === '$me') return given;
  try {
    return decodeId(given.trim(), 'user');
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const problem = fieldError(name, error);
    throw errors.validation(problem.message, [problem]);
  }
}

function equalities(values: Readonly<Record<string, string | undefined>>): FilterGroup[] {
  const conditions = Object.entries(values).flatMap(([field, value]): FilterCondition[] =>
    value === undefined ? [] : [{ field, operator: 'equals', value }],
  );
  return conditions.length === 0 ? [] : [{ type: 'AND', conditions }];
}

export const getTask = defineManagedOperation({
  id: 'task.get',
  summary: 'One task, with the records that it is linked to',
  input: Type.Object({ id: RecordId }, { additionalProperties: false }),
  output: Type.Object({
    task: Type.Object({ ...Task.properties, linked_entities: LinkedEntitiesOut }),
  }),
  needs: 'view',
  manages,
  effect: 'read',
  cost: 'global',
  etag: 'state',
  run: (call, { id }, object) =>
    readManaged(call, object, id, (record) => {
      const names = Object.keys(shown).filter((name) => Object.hasOwn(record, name));
      const task = Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
      return { task: { ...task, linked_entities: linkedEntities(object, record) } };
    }),
});

export const createTask = defineManagedOperation({
  id: 'task.create',
  summary: 'Create a task; its assignee is notified',
  input: Type.Object(Values),
  output: Done('created'),
  needs: 'create',
  manages,
  effect: 'write',
  cost: 'global',
  status: 201,
  run: async (call, input, object) => ({ task_id: await makeTask(call, object, input), action: 'created' }),
});

export const updateTask = defineManagedOperation({
  id: 'task.update',
  summary: 'Change a task; a new assignee is notified',
  input: Type.Object({ id: RecordId, ...Values, if_match: IfMatch }),
  output: Done('updated'),
  needs: 'update',
  manages,
  effect: 'write',
  cost: 'global',
  isPartial: true,
  async run(call, { id: given, if_match: ifMatch, ...values }, object) {
    const id = recordId(object, given);
    await changeTask(call, object, id, values, expectedStates(ifMatch));
    return { task_id: id, action: 'updated' };
  },
});

export const completeTask = defineManagedOperation({
  id: 'task.complete',
  summary: 'Complete or reopen a task; its assigner and creator are notified of the completion',
  input: Type.Object(
    { id: RecordId, completed: Type.Optional(Type.Boolean({ default: true })), if_match: IfMatch },
    { additionalProperties: false },
  ),
  output: Done('completed', 'reopened'),
  needs: 'update',
  manages,
  ofField: () => 'is_completed',
  effect: 'write',
  cost: 'global',
  async run(call, { id: given, completed: isCompleted = true, if_match: ifMatch }, object) {
    const id = recordId(object, given);
    await setCompleted(call, object, id, isCompleted, expectedStates(ifMatch));
    return { task_id: id, action: isCompleted ? 'completed' : 'reopened' };
  },
});

export const deleteTask = defineDeletion(manages, 'task.delete', 'Delete a task, with its links');

const Count = Type.Integer({ minimum: 0 });

export const taskStats = defineManagedOperation({
  id: 'tasks.stats',
  summary: 'Counts of tasks: all, completed and due',
  input: Type.Object(
    {
      user_id: Type.Optional(
        Type.String(describedAs({ ...Id, description: 'A workspace user: only the tasks assigned to this one' })),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    total: Count,
    completedToday: Type.Optional(Count),
    remainingToday: Type.Optional(Count),
    overdue: Type.Optional(Count),
    thisWeek: Type.Optional(Count),
    completionRate: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Percent' })),
  }),
  needs: 'view',
  manages,
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const kinds = kindsFor(call, object);
    const where = equalities({ assigned_to_id: userIn('user_id', input.user_id) });
    const plan = planTally(call, object, { where }, [everything, ...kinds.map(([, kind]) => kind)]);
    const [found] = await call.workspace.read(plan.statement);
    const [total = 0, ...counts] = plan.read(found?.rows ?? []);
    const { done, ...rest } = Object.fromEntries(kinds.map(([name], at) => [name, counts[at] ?? 0]));
    if (done === undefined) return { total, ...rest };
    return { total, ...rest, completionRate: total === 0 ? 0 : Math.round((done / total) * 100) };
  },
});

const everything: FilterGroup = { type: 'AND', conditions: [] };

/** The counts that the role may know: those whose fields it sees. */
function kindsFor(call: Call, object: ObjectDef): [name: string, kind: FilterGroup][] {
  const shows = (field: string) => call.visibility.shows(object.name, field);
  if (!shows('is_completed')) return [];
  const due: [string, FilterGroup | undefined][] = [
    ['remainingToday', tasksIn('today', call)],
    ['overdue', tasksIn('overdue', call)],
    ['thisWeek', dueThisWeek(call)],
  ];
  const kinds: [string, FilterGroup | undefined][] = [
    ...(shows('completed_at') ? [['completedToday', completedToday(call)] as [string, FilterGroup]] : []),
    ...(shows('due_date') && shows('due_all_day') ? due : []),
    ['done', completed],
  ];
  return kinds.flatMap(([name, kind]) => (kind ? [[name, kind]] : []));
}
