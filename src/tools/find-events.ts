/** [spec: crm_find_events] Meetings of connected calendars. */
import { findEvents as find } from '../operations/conversations/meetings.ts';
import { cursor, text, texts, whole } from './arguments.ts';
import { defineTool, maxTokens, reads } from './define.ts';

export const findEvents = defineTool({
  name: 'crm_find_events',
  title: 'Find Events',
  description: 'Meetings that begin between two days or times (ISO 8601), the earliest first.',
  input: {
    start_date: text(),
    end_date: text(),
    limit: whole(50, 200),
    cursor,
    fields: texts,
    max_tokens: maxTokens,
  },
  output: { events: 'array', total: 'integer', nextCursor: 'string' },
  hints: reads,
  defaultAction: 'list',
  actions: {
    list: { operation: find, needs: ['start_date', 'end_date'], takes: ['limit', 'cursor'], rows: ['events'] },
  },
});
