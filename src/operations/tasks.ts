/** [spec: Tasks] Things to do, which can be about records. */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import { Component, describedAs, inHeader, JsonTextOf, Lenient } from '../describe/annotations.ts';
import { errors } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { parseLongJson } from '../lib/long-json.ts';
import { whole } from '../lib/long-text.ts';
import type { FilterCondition, FilterGroup, ObjectDef } from '../model/model.ts';
import { parseSort, type SortKey } from '../query/order.ts';
import { planGet } from '../query/plan-get.ts';
import { planTally } from '../query/plan-tally.ts';
import { listPage } from '../records/reading/list-page.ts';
import { recordId } from '../records/reading/named.ts';
import { expectedStates, recordEtag } from '../records/writing/etag.ts';
import { trashRecord } from '../records/writing/trash.ts';
import { defineOwnOperation, JsonText, pageText } from './door/operation.ts';
import { filtersOf } from './filter-input.ts';
import { Choice, Cursor, recordPage } from './inputs.ts';
import { linkableObjects, LinkedEntities, linkedTo } from './linked-entities.ts';
import { Id, Nullable, PageOf, Time } from './outputs.ts';
import { completed, completedToday, dueThisWeek, taskModes, tasksIn } from './task-times.ts';
import { changeTask, makeTask, setCompleted } from './task-writes.ts';

const priorities = ['low', 'medium', 'urgent'];
const actionTypes = ['call', 'email', 'meeting', 'linkedin_message', 'whatsapp_message'];

/** What is shown of a task, as it is stored. */
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
/** A role may not see all of it. */
const Task = Type.Partial(Type.Object(shown));

/** The engine says what is wrong with each and with unknown keys, all at once. */
const Values = {
  title: Type.Optional(Lenient(Type.String(), 'Required for a new one')),
  due_date: Type.Optional(Lenient(Nullable(Type.String()), 'A day such as 2026-01-31, or a time')),
  priority: Type.Optional(Lenient(Nullable(Type.String({ enum: priorities })))),
  assigned_to_id: Type.Optional(Lenient(Nullable(Id), 'A workspace user; null for nobody')),
  action_type: Type.Optional(Lenient(Nullable(Type.String({ enum: actionTypes })))),
  linked_entities: LinkedEntities,
};
const TaskId = Type.String({ description: 'Id of the task' });
const IfMatch = Type.Optional(
  Type.String({
    description: 'ETags of the states that the task may be in; any when absent',
    ...inHeader('If-Match'),
  }),
);
const Done = (...actions: string[]) => Type.Object({ task_id: Id, action: Type.String({ enum: actions }) });

export const listTasks = defineOwnOperation({
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
      filters: Type.Optional(Lenient(JsonTextOf(Component('FilterGroup')), 'A FilterGroup as JSON text.')),
      sort: Type.Optional(Lenient(JsonTextOf(Type.Array(Component('SortKey'))), 'Up to five keys as JSON text')),
      sort_by: Type.Optional(Type.String({ description: 'One key, due_date when absent; ignored when sort is there' })),
      sort_dir: Type.Optional(Type.String(describedAs(Type.String({ enum: ['asc', 'desc'] })))),
      cursor: Cursor,
      limit: recordPage.input,
    },
    { additionalProperties: false },
  ),
  output: PageOf(Task),
  own: { object: 'tasks', need: 'view' },
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const { mode = 'all' } = input;
    const due = tasksIn(mode, call);
    const page = await listPage(call, object, {
      where: [
        ...filtersOf({ filters: input.filters }),
        ...equalities({
          assigned_to_id: input.assigned_to,
          priority: input.priority,
          action_type: input.action_type,
        }),
        ...[linkedTo(object, input.linked_entity_type, input.linked_entity_id)].filter((part) => part !== undefined),
      ],
      timed: due && { name: mode, where: due },
      sort: parseSort(input as JsonObject, firstDue(call, object), call.warn),
      limit: recordPage.of(call, input.limit),
      cursor: input.cursor,
      fields: Object.keys(shown).filter((name) => call.visibility.shows(object.name, name)),
      mode: 'stored',
    });
    return pageText(page);
  },
});

function equalities(values: Readonly<Record<string, string | undefined>>): FilterGroup[] {
  const conditions = Object.entries(values).flatMap(([field, value]): FilterCondition[] =>
    value === undefined ? [] : [{ field, operator: 'equals', value }],
  );
  return conditions.length === 0 ? [] : [{ type: 'AND', conditions }];
}

/** Ids are in the order of creation: for a role that does not see when tasks are due. */
function firstDue({ visibility }: Call, object: ObjectDef): readonly SortKey[] {
  return [{ field: visibility.shows(object.name, 'due_date') ? 'due_date' : 'id', direction: 'asc' }];
}

export const getTask = defineOwnOperation({
  id: 'tasks.get',
  summary: 'One task, with the records that it is linked to',
  input: Type.Object({ id: TaskId }, { additionalProperties: false }),
  output: Type.Object({
    task: Type.Object({
      ...Task.properties,
      linked_entities: Type.Array(Type.Object({ id: Id, type: Type.String(), display: Nullable(Type.String()) })),
    }),
  }),
  own: { object: 'tasks', need: 'view' },
  effect: 'read',
  cost: 'global',
  etag: 'state',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const plan = planGet(call, object, id);
    const [found] = await call.workspace.read(plan.statement);
    const read = await plan.read(found?.rows ?? []);
    const record = read && (await parseLongJson(whole(read.record)));
    if (!isObject(record)) throw errors.recordNotFound(object.name, id);
    const names = Object.keys(shown).filter((name) => Object.hasOwn(record, name));
    const task = {
      ...Object.fromEntries(names.map((name) => [name, record[name] ?? null])),
      linked_entities: linkableObjects.flatMap((type) => linkedIn(record[type] ?? null, type)),
    };
    const text = JSON.stringify({ task });
    return new JsonText(text, await recordEtag(read?.tag ?? '', text));
  },
});

function linkedIn(links: Json, type: string): object[] {
  if (!Array.isArray(links)) return [];
  return links.map((link) => (isObject(link) ? { id: link['id'], type, display: link['display'] } : {}));
}

export const createTask = defineOwnOperation({
  id: 'tasks.create',
  summary: 'Create a task; its assignee is told',
  input: Type.Object(Values),
  output: Done('created'),
  own: { object: 'tasks', need: 'create' },
  effect: 'write',
  cost: 'global',
  status: 201,
  run: async (call, input, object) => ({ task_id: await makeTask(call, object, input), action: 'created' }),
});

export const updateTask = defineOwnOperation({
  id: 'tasks.update',
  summary: 'Change a task; a new assignee is told',
  input: Type.Object({ id: TaskId, ...Values, if_match: IfMatch }),
  output: Done('updated'),
  own: { object: 'tasks', need: 'update' },
  effect: 'write',
  cost: 'global',
  async run(call, { id: given, if_match: ifMatch, ...values }, object) {
    const id = recordId(object, given);
    await changeTask(call, object, id, values, expectedStates(ifMatch));
    return { task_id: id, action: 'updated' };
  },
});

export const completeTask = defineOwnOperation({
  id: 'tasks.complete',
  summary: 'Complete a task, or reopen it; who assigned or created it is told of the completion',
  input: Type.Object(
    { id: TaskId, completed: Type.Optional(Type.Boolean({ default: true })), if_match: IfMatch },
    { additionalProperties: false },
  ),
  output: Done('completed', 'reopened'),
  own: { object: 'tasks', need: 'update' },
  effect: 'write',
  cost: 'global',
  async run(call, { id: given, completed: isCompleted = true, if_match: ifMatch }, object) {
    const id = recordId(object, given);
    await setCompleted(call, object, id, isCompleted, expectedStates(ifMatch));
    return { task_id: id, action: isCompleted ? 'completed' : 'reopened' };
  },
});

export const deleteTask = defineOwnOperation({
  id: 'tasks.delete',
  summary: 'Delete a task, with its links',
  input: Type.Object({ id: TaskId, if_match: IfMatch }, { additionalProperties: false }),
  output: Type.Object({ deleted: Type.Boolean() }),
  own: { object: 'tasks', need: 'delete' },
  effect: 'destructive',
  cost: 'global',
  async run(call, input, object) {
    await trashRecord(call, object, recordId(object, input.id), expectedStates(input.if_match));
    return { deleted: true };
  },
});

const Count = Type.Integer({ minimum: 0 });

export const taskStats = defineOwnOperation({
  id: 'tasks.stats',
  summary: 'How many tasks there are, how many of them are done, and how many are due',
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
  own: { object: 'tasks', need: 'view' },
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const kinds = kindsFor(call, object);
    const where = equalities({ assigned_to_id: input.user_id });
    const plan = planTally(call, object, { where }, [everything, ...kinds.map(([, kind]) => kind)]);
    const [found] = await call.workspace.read(plan.statement);
    const [total = 0, ...counts] = plan.read(found?.rows ?? []);
    const { done, ...told } = Object.fromEntries(kinds.map(([name], at) => [name, counts[at] ?? 0]));
    if (done === undefined) return { total, ...told };
    return { total, ...told, completionRate: total === 0 ? 0 : Math.round((done / total) * 100) };
  },
});

const everything: FilterGroup = { type: 'AND', conditions: [] };

/** What is counted, as far as the role sees the fields that decide it: what it may not know is absent. */
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
