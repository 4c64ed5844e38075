/** [spec: Inbox] The caller's own conversations, and single messages that the caller may read. */
import { Type } from 'typebox';
import { deliveryStates } from '../../channels/messengers/deliveries.ts';
import { errors } from '../../errors.ts';
import { together } from '../../lib/long-text.ts';
import { channels } from '../../model/channels.ts';
import { parseSort } from '../../query/order.ts';
import { planGet } from '../../query/plan-get.ts';
import { shownWithLastMessage } from '../../records/conversations/last-message.ts';
import { message, planMessages } from '../../records/conversations/messages.ts';
import { threadsWith } from '../../records/conversations/search-threads.ts';
import { listPage } from '../../records/reading/list-page.ts';
import { internalObject, recordId } from '../../records/reading/named.ts';
import { Choice, Cursor, pageSize, recordPage } from '../inputs.ts';
import { defineOperation, JsonText, pageText } from '../door/operation.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const messagePage = pageSize(50, 200);

const Thread = Type.Object({
  id: Id,
  subject: Nullable(Type.String()),
  channel: Type.String({ enum: [...channels] }),
  last_message_date: Nullable(Time),
  message_count: Type.Integer(),
  summary: Nullable(Type.String()),
  content_visibility: Type.String({ enum: ['full', 'metadata_subject', 'none'] }),
  managed_by_workspace_user_id: Nullable(Id),
  external_thread_id: Type.String(),
});
const threadFields = Object.keys(Thread.properties);

const Contacts = Type.Array(Type.Object({ address: Type.String(), id: Id, display: Nullable(Type.String()) }), {
  description: 'One that the caller sees for each address of up to 20 participants; phone numbers are digits',
});

const LastMessage = Type.Object({
  id: Id,
  direction: Type.String({ enum: ['inbound', 'outbound'] }),
  date: Time,
  preview: { ...Nullable(Type.String()), description: 'The beginning of its text; null where its key is lost' },
  participants: Type.Array(Type.String()),
  contacts: Contacts,
});

const Text = Nullable(Type.String());
const Interaction = Type.Object({
  id: Id,
  subject: Text,
  channel: Type.String({ enum: [...channels] }),
  direction: Type.String({ enum: ['inbound', 'outbound'] }),
  date: Time,
  delivery: Nullable(
    Type.String({
      enum: ['unknown', ...deliveryStates],
      description: 'How far a message sent from here has come; `unknown` while nobody knows whether it went out',
    }),
  ),
  content: Text,
  content_html: Text,
  content_text: Text,
  content_blocks: Type.Union([Type.Array(Type.Unknown()), Type.String(), Type.Null()]),
  summary: Text,
  participants: Type.Array(Type.String()),
  interaction_thread_id: Id,
});

export const listThreads = defineOperation({
  id: 'inbox.threads',
  summary: 'Conversations of the caller, latest first',
  input: Type.Object(
    {
      channel: Type.Optional(Choice(['all', ...channels], 'all')),
      search: Type.Optional(
        Type.String({ description: 'Words that all occur in subjects or among those who take part' }),
      ),
      sort_by: Type.Optional(Type.String({ description: 'A field of threads; last_message_date when absent' })),
      sort_dir: Type.Optional(Choice(['asc', 'desc'], 'desc')),
      last_message: Type.Optional(Type.Boolean({ description: "true adds each conversation's last message" })),
      cursor: Cursor,
      limit: recordPage.input,
    },
    { additionalProperties: false },
  ),
  output: PageOf(Type.Object({ ...Thread.properties, last_message: Type.Optional(Nullable(LastMessage)) })),
  effect: 'read',
  cost: 'global',
  async run(call, input) {
    const { channel = 'all', sort_by, sort_dir } = input;
    const where =
      channel === 'all'
        ? []
        : [{ type: 'AND' as const, conditions: [{ field: 'channel', operator: 'equals', value: channel }] }];
    const sort = parseSort({ sort_by, sort_dir }, [{ field: 'last_message_date', direction: 'desc' }], call.warn);
    const limit = recordPage.of(call, input.limit);
    const beside = input.search === undefined ? undefined : threadsWith(call, input.search);
    const threads = internalObject(call, 'threads');
    const shown = input.last_message
      ? { shown: shownWithLastMessage(call, threads, threadFields) }
      : { fields: threadFields };
    return pageText(await listPage(call, threads, { where, beside, sort, limit, cursor: input.cursor, ...shown }));
  },
});

export const getThread = defineOperation({
  id: 'inbox.thread',
  summary: 'A conversation of the caller with its messages, latest first',
  input: Type.Object(
    {
      id: Type.String({ description: 'Id of the thread' }),
      message_cursor: Type.Optional(Type.String({ description: 'next_message_cursor of the page before' })),
      message_limit: messagePage.input,
      contacts: Type.Optional(Type.Boolean({ description: 'true adds the contacts who take part to each message' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    thread: Thread,
    messages: Type.Array(Type.Object({ ...Interaction.properties, contacts: Type.Optional(Contacts) })),
    total_messages: Type.Integer(),
    next_message_cursor: Nullable(Type.String()),
    truncated: PageOf(Interaction).properties.truncated,
  }),
  effect: 'read',
  cost: 'global',
  async run(call, input) {
    const threads = internalObject(call, 'threads');
    const id = recordId(threads, input.id);
    const plan = planGet(call, threads, id, threadFields);
    const limit = messagePage.of(call, input.message_limit, 'message_limit');
    const messages = planMessages(call, id, { limit, cursor: input.message_cursor, hasContacts: input.contacts });
    const [found, ...rows] = await call.workspace.read(plan.statement, ...messages.statements);
    const thread = await plan.read(found?.rows ?? []);
    if (!thread) throw errors.recordNotFound('threads', input.id);
    const page = await messages.read(rows);
    const { total, nextCursor = null, isCut } = page;
    const rest = { total_messages: total, next_message_cursor: nextCursor, ...(isCut && { truncated: true }) };
    const text = ['{"thread":', thread.record, ',"messages":', page.data, `,${JSON.stringify(rest).slice(1)}`] as const;
    return new JsonText(together(...text));
  },
});

/** Refused: threads have no read mark. */
export const markThread = defineOperation({
  id: 'inbox.mark',
  summary: 'Not supported: threads have no read state here',
  input: Type.Object({ id: Type.String(), is_read: Type.Optional(Type.Unknown()) }, { additionalProperties: true }),
  output: Type.Object({}),
  effect: 'write',
  cost: 'global',
  async run({ workspace }): Promise<object> {
    await workspace.read();
    throw errors.notSupported('Threads have no read state over REST: nothing was changed');
  },
});

export const getInteraction = defineOperation({
  id: 'inbox.interaction',
  summary: 'One message, as far as the caller may read it',
  input: Type.Object({ id: Type.String({ description: 'Id of the message' }) }, { additionalProperties: false }),
  output: Type.Object({ data: Type.Object({ record: Interaction }) }),
  effect: 'read',
  cost: 'global',
  async run(call, input) {
    const found = await message(call, recordId(internalObject(call, 'interactions'), input.id));
    if (found === undefined) throw errors.recordNotFound('interactions', input.id);
    return new JsonText(together('{"data":{"record":', found, '}}'));
  },
});
