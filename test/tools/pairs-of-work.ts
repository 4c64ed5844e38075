/** The operations on tasks, notes, conversations, lists and dashboards, each by REST and by its tool. */
import { email } from '../api/sending.ts';
import { contacts, get, pair, post, type Pair } from './pair.ts';

const chart = { title: 'Contacts', object_name: 'contacts', chart_type: 'indicator' };
const letter = email({ subject: 'Offer' });

export const ofWork: readonly Pair[] = [
  pair(
    'tasks.list',
    get(() => '/tasks', { priority: 'urgent' }),
    'crm_manage_tasks',
    () => ({
      action: 'list',
      priority_filter: 'urgent',
    }),
  ),
  pair(
    'task.get',
    get(({ task }) => `/tasks/${task}`),
    'crm_manage_tasks',
    ({ task }) => ({ action: 'get', task_id: task }),
  ),
  pair(
    'task.create',
    post('/tasks', () => ({ title: 'New' })),
    'crm_manage_tasks',
    () => ({ action: 'create', title: 'New' }),
  ),
  pair(
    'task.update',
    (client, { task }) => client.put(`/tasks/${task}`, { priority: 'low' }),
    'crm_manage_tasks',
    ({ task }) => ({
      action: 'update',
      task_id: task,
      priority: 'low',
    }),
  ),
  pair(
    'task.complete',
    (client, { task }) => client.put(`/tasks/${task}/complete`, {}),
    'crm_manage_tasks',
    ({ task }) => ({
      action: 'complete',
      task_id: task,
    }),
  ),
  pair(
    'task.delete',
    (client, { gone }) => client.delete(`/tasks/${gone}`),
    'crm_manage_tasks',
    ({ gone }) => ({
      action: 'delete',
      task_id: gone,
    }),
  ),
  pair(
    'tasks.stats',
    get(() => '/tasks/stats'),
    'crm_task_stats',
    () => ({}),
  ),
  pair(
    'notes.list',
    get(() => '/notes'),
    'crm_manage_notes',
    () => ({ action: 'list' }),
  ),
  pair(
    'note.get',
    get(({ note }) => `/notes/${note}`),
    'crm_manage_notes',
    ({ note }) => ({ action: 'get', note_id: note }),
  ),
  pair(
    'note.create',
    post('/notes', () => ({ content: 'x' })),
    'crm_manage_notes',
    () => ({ action: 'create', content: 'x' }),
  ),
  pair(
    'note.update',
    (client, { note }) => client.put(`/notes/${note}`, { content: 'y' }),
    'crm_manage_notes',
    ({ note }) => ({
      action: 'update',
      note_id: note,
      content: 'y',
    }),
  ),
  pair(
    'note.delete',
    (client, { gone }) => client.delete(`/notes/${gone}`),
    'crm_manage_notes',
    ({ gone }) => ({
      action: 'delete',
      note_id: gone,
    }),
  ),
  pair(
    'activity.record',
    get(({ anna }) => `/activity/contacts/${anna}`),
    'crm_find_activity',
    ({ anna }) => ({
      ...contacts,
      record_id: anna,
    }),
  ),
  pair(
    'meetings.list',
    get(() => '/meetings', { start_date: '2026-01-01', end_date: '2026-12-31' }),
    'crm_find_events',
    () => ({
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    }),
  ),
  pair(
    'inbox.threads',
    get(() => '/inbox/threads'),
    'crm_inbox',
    () => ({ action: 'list_threads' }),
  ),
  pair(
    'inbox.thread',
    get(({ thread }) => `/inbox/threads/${thread}`),
    'crm_inbox',
    ({ thread }) => ({
      action: 'get_thread',
      thread_id: thread,
    }),
  ),
  pair(
    'inbox.interaction',
    get(({ message }) => `/interactions/${message}`),
    'crm_inbox',
    ({ message }) => ({
      action: 'get_interaction',
      interaction_id: message,
    }),
  ),
  pair(
    'message.preview',
    post('/messages/preview', () => letter),
    'crm_send_message',
    () => ({ action: 'preview', ...letter }),
  ),
  pair(
    'message.send',
    post('/messages/send', () => letter),
    'crm_send_message',
    () => ({ action: 'send', ...letter }),
  ),
  pair(
    'thread.mark',
    (client, { thread }) => client.post(`/inbox/threads/${thread}/mark`, { action: 'read' }),
    'crm_mark_email',
    ({ thread }) => ({ action: 'read', thread_id: thread }),
  ),
  pair(
    'lists.list',
    get(() => '/lists'),
    'crm_manage_lists',
    () => ({ action: 'list' }),
  ),
  pair(
    'list.get',
    get(({ list }) => `/lists/${list}`),
    'crm_manage_lists',
    ({ list }) => ({ action: 'get', list_id: list }),
  ),
  pair(
    'list.create',
    post('/lists', () => ({ name: 'L', object_types: ['contacts'] })),
    'crm_create_list',
    () => ({
      name: 'L',
      object_types: ['contacts'],
    }),
  ),
  pair(
    'list.update',
    (client, { list }) => client.put(`/lists/${list}`, { color: 'red' }),
    'crm_manage_lists',
    ({ list }) => ({
      action: 'update',
      list_id: list,
      color: 'red',
    }),
  ),
  pair(
    'list.delete',
    (client, { gone }) => client.delete(`/lists/${gone}`),
    'crm_manage_lists',
    ({ gone }) => ({
      action: 'delete',
      list_id: gone,
    }),
  ),
  pair(
    'listEntries.list',
    get(({ list }) => `/lists/${list}/entries`),
    'crm_manage_lists',
    ({ list }) => ({
      action: 'get_entries',
      list_id: list,
    }),
  ),
  ...(['add', 'remove'] as const).map((action) =>
    pair(
      `listEntries.${action}`,
      (client, { list, anna }) =>
        client.post(`/lists/${list}/entries${action === 'add' ? '' : '/remove'}`, {
          object_type: 'contacts',
          record_ids: [anna],
        }),
      'crm_manage_lists',
      ({ list, anna }) => ({ action, list_id: list, object_type: 'contacts', record_ids: [anna] }),
      false,
    ),
  ),
  pair(
    'dashboards.list',
    get(() => '/dashboards'),
    'crm_manage_dashboards',
    () => ({ action: 'list' }),
  ),
  pair(
    'dashboard.create',
    post('/dashboards', () => ({ name: 'D' })),
    'crm_manage_dashboards',
    () => ({
      action: 'create',
      dashboard_name: 'D',
    }),
  ),
  pair(
    'dashboard.compute',
    get(({ dashboard }) => `/dashboards/${dashboard}/data`),
    'crm_manage_dashboards',
    ({ dashboard }) => ({
      action: 'data',
      dashboard_id: dashboard,
    }),
  ),
  pair(
    'chart.create',
    (client, { dashboard }) => client.post(`/dashboards/${dashboard}/charts`, chart),
    'crm_manage_dashboards',
    ({ dashboard }) => ({ action: 'add_chart', dashboard_id: dashboard, ...chart }),
    false,
  ),
  pair(
    'dashboard.delete',
    (client, { gone }) => client.delete(`/dashboards/${gone}`),
    'crm_manage_dashboards',
    ({ gone }) => ({
      action: 'delete',
      dashboard_id: gone,
    }),
  ),
  pair(
    'views.list',
    get(() => '/views', { object: 'contacts' }),
    'crm_views',
    () => ({ action: 'list', ...contacts }),
  ),
  pair(
    'view.create',
    post('/views', () => ({ ...contacts, name: 'V', sort: [{ field: 'last_name', direction: 'asc' }], position: 3 })),
    'crm_views',
    () => ({
      action: 'create',
      ...contacts,
      name: 'V',
      view: { sort: [{ field: 'last_name', direction: 'asc' }], position: 3 },
    }),
  ),
  pair(
    'view.update',
    (client, { view }) => client.put(`/views/${view}`, { search: 'anna', name: 'W' }),
    'crm_views',
    ({ view }) => ({ action: 'update', view_id: view, name: 'W', view: { search: 'anna' } }),
  ),
  pair(
    'view.delete',
    (client, { gone }) => client.delete(`/views/${gone}`),
    'crm_views',
    ({ gone }) => ({ action: 'delete', view_id: gone }),
  ),
];
