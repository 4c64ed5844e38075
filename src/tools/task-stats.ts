/** [spec: crm_task_stats] Counts of tasks. */
import { taskStats as countTasks } from '../operations/tasks-and-notes/tasks.ts';
import { text } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';

export const taskStats = defineTool({
  name: 'crm_task_stats',
  title: 'Task Stats',
  description: 'Counts of tasks; with user_id, of those assigned to that user.',
  input: { user_id: text(), max_tokens: maxTokens },
  output: { total: 'integer' },
  hints: reads,
  choose: () => 'count',
  actions: { count: { operation: countTasks, takes: ['user_id'] } },
});
