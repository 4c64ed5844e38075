/** [spec: crm_find_activity] Messages, tasks and notes of a record. */
import { recordActivity } from '../operations/tasks-and-notes/activity.ts';
import { cursor, objectName, oneOf, someOf, text, texts, whole } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';

export const findActivity = defineTool({
  name: 'crm_find_activity',
  title: 'Find Activity',
  description: 'Messages, tasks and notes around a record. Messages are there for contacts and companies alone.',
  input: {
    object_name: objectName,
    record_id: text(),
    view: oneOf(['sections', 'timeline'], 'sections'),
    include: { type: 'array', items: { enum: ['interactions', 'tasks', 'notes'] } },
    channel: someOf(['all', 'email', 'linkedin', 'whatsapp', 'phone', 'meeting'], 'all'),
    contact_id: text('of a company: this contact alone'),
    task_status: oneOf(['open', 'completed', 'all']),
    task_mode: oneOf(['today', 'overdue', 'upcoming']),
    notes_quick_filter: oneOf(['all', 'my_items']),
    interactions_cursor: text(),
    tasks_cursor: text(),
    notes_cursor: text(),
    cursor: { ...cursor, description: 'timeline' },
    limit: whole(20, 50),
    fields: texts,
    max_tokens: maxTokens,
  },
  output: { record: 'object', timeline: 'array', counts: 'object' },
  hints: reads,
  choose: () => 'read',
  as: { object_name: 'object', record_id: 'id' },
  actions: {
    read: {
      operation: recordActivity,
      needs: ['object_name', 'record_id'],
      takes: [
        ...['view', 'include', 'channel', 'contact_id', 'task_status', 'task_mode', 'notes_quick_filter'],
        ...['interactions_cursor', 'tasks_cursor', 'notes_cursor', 'cursor', 'limit'],
      ],
      joins: ['include'],
      rows: ['interactions.items', 'tasks.items', 'notes.items', 'timeline'],
    },
  },
});
