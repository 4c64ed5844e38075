/** [spec: crm_manage_tasks] Tasks. */
import {
  completeTask,
  createTask,
  deleteTask,
  getTask,
  listTasks,
  updateTask,
} from '../operations/tasks-and-notes/tasks.ts';
import {
  cursor,
  direction,
  filters,
  objects,
  oneOf,
  someOf,
  sort,
  text,
  textOrNull,
  texts,
  whole,
  yesOrNo,
} from './arguments.ts';
import { defineTool, destroys, maxTokens, paged } from './define.ts';

const priorities = ['low', 'medium', 'urgent'];
const actionTypes = ['call', 'email', 'meeting', 'linkedin_message', 'whatsapp_message'];
const links = ['contacts', 'companies', 'opportunities'];
const values = ['due_date', 'priority', 'assigned_to_id', 'action_type', 'linked_entities'];

export const manageTasks = defineTool({
  name: 'crm_manage_tasks',
  title: 'Manage Tasks',
  description: 'Users are meant by the ids of svc://users. An update replaces all linked_entities.',
  input: {
    mode: oneOf(['all', 'today', 'overdue', 'upcoming', 'completed'], 'all'),
    assigned_to: text(),
    linked_entity_id: text(),
    linked_entity_type: oneOf(links),
    priority_filter: oneOf(priorities),
    action_type: { type: ['string', 'null'], enum: [...actionTypes, null] },
    filters,
    sort,
    sort_by: someOf(['due_date', 'priority', 'created_at', 'title'], 'due_date'),
    sort_dir: direction('asc'),
    cursor,
    limit: whole(20, 100),
    fields: texts,
    max_tokens: maxTokens,
    task_id: text(),
    title: text(),
    due_date: textOrNull(),
    priority: { type: ['string', 'null'], enum: [...priorities, null] },
    assigned_to_id: textOrNull(),
    linked_entities: objects('[{"type":"contacts","id"}]'),
    completed: { ...yesOrNo, default: true },
  },
  output: paged,
  hints: destroys,
  as: { task_id: 'id', priority_filter: 'priority' },
  actions: {
    list: {
      operation: listTasks,
      takes: [
        ...['mode', 'assigned_to', 'linked_entity_id', 'linked_entity_type', 'priority_filter', 'action_type'],
        ...['filters', 'sort', 'sort_by', 'sort_dir', 'cursor', 'limit'],
      ],
      rows: ['data'],
    },
    get: { operation: getTask, needs: ['task_id'], rows: ['task'] },
    create: { operation: createTask, needs: ['title'], takes: values },
    update: { operation: updateTask, needs: ['task_id'], takes: ['title', ...values], shows: ['title'] },
    complete: { operation: completeTask, needs: ['task_id'], takes: ['completed'] },
    delete: {
      operation: deleteTask,
      needs: ['task_id'],
      affects: ({ task_id: id = null }) => ({ operation: getTask, input: { id } }),
    },
  },
});
