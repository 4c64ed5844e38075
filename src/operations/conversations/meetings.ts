/** [spec: crm_find_events] Meetings of connected calendars. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors, quoted } from '../../errors.ts';
import { addDays, isDay, parseInstant, startOfDay } from '../../fields/local-time.ts';
import { together } from '../../lib/long-text.ts';
import { eventsPage } from '../../records/conversations/events-page.ts';
import { defineOperation, JsonText } from '../door/operation.ts';
import { Choice, Cursor, pageSize } from '../inputs.ts';
import { Id, Nullable, Time } from '../outputs.ts';

const eventPage = pageSize(50, 200);
const Text = Nullable(Type.String());

export const findEvents = defineOperation({
  id: 'meetings.list',
  summary: 'Meetings that begin within a period, earliest first',
  input: Type.Object(
    {
      action: Type.Optional(Choice(['list'], 'list')),
      start_date: Type.Optional(Type.String({ description: 'Required: a time or a day, of which the span begins' })),
      end_date: Type.Optional(Type.String({ description: 'Required: a time or a day, with which the span ends' })),
      limit: eventPage.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    events: Type.Array(
      Type.Object({
        id: Id,
        title: Text,
        start_time: Time,
        end_time: Nullable(Time),
        all_day: Type.Boolean(),
        status: Type.String({ enum: ['confirmed', 'tentative', 'cancelled'] }),
        organizer: Text,
        attendees: Type.Array(
          Type.Object({ email: Type.String(), name: Text, response: Text, contact_id: Type.Optional(Id) }),
        ),
        location: Text,
        meeting_url: Text,
        thread_id: Nullable(Id),
        linked_entities: Type.Array(Type.Object({ type: Type.String(), id: Id, display: Text })),
      }),
    ),
    total: Type.Integer(),
    nextCursor: Type.Optional(Type.String()),
    truncated: Type.Optional(Type.Boolean()),
  }),
  effect: 'read',
  cost: 'global',
  async run(call, input) {
    const from = timeIn(call, 'start_date', input.start_date);
    const until = timeIn(call, 'end_date', input.end_date);
    const limit = eventPage.of(call, input.limit);
    const page = await eventsPage(call, { from, until }, { limit, cursor: input.cursor });
    if (!page) throw errors.notSupported('This workspace has no meetings: no calendar was connected or brought in');
    const { total, nextCursor, isCut } = page;
    const rest = { total, ...(nextCursor !== undefined && { nextCursor }), ...(isCut && { truncated: true }) };
    return new JsonText(together('{"events":', page.data, `,${JSON.stringify(rest).slice(1)}`), undefined, page);
  },
});

/** The instant of a parameter; a day means its start, or its end for `end_date`. Throws MISSING_REQUIRED_FIELD, INVALID_ARGUMENT. */
function timeIn({ timeZone }: Call, name: 'start_date' | 'end_date', given: string | undefined): string {
  const text = given?.trim() ?? '';
  if (text === '') throw errors.missingField(name);
  const dayAfter = name === 'end_date' && isDay(text) ? addDays(text, 1) : undefined;
  const time = dayAfter === undefined ? parseInstant(text, timeZone) : startOfDay(dayAfter, timeZone);
  if (time === undefined)
    throw errors.invalidArgument(`${name} must be a day or a time such as 2026-01-31T09:30:00Z, not ${quoted(text)}`);
  return time;
}
