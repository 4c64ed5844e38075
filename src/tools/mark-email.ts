/** [spec: crm_mark_email] Marks conversations. */
import { markEmail as mark } from '../operations/conversations/messages.ts';
import { oneOf, text } from './arguments.ts';
import { defineTool, sends } from './define.ts';

export const markEmail = defineTool({
  name: 'crm_mark_email',
  title: 'Mark Email',
  description: 'Marks an own email thread in its mailbox.',
  input: { action: oneOf(['read', 'unread', 'favorite', 'unfavorite']), thread_id: text() },
  output: { applied: 'boolean' },
  hints: { ...sends, idempotentHint: true },
  choose: () => 'mark',
  as: { thread_id: 'id' },
  actions: { mark: { operation: mark, needs: ['action', 'thread_id'] } },
});
