/** [spec: crm_send_message] Sends messages in two steps. */
import type { KithError } from '../errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { sendChannels } from '../model/channels.ts';
import { previewMessage, sendMessage as send } from '../operations/conversations/messages.ts';
import { someOf, text, texts, type ArgumentValues } from './arguments.ts';
import { defineTool, sends } from './define.ts';

const needs = ['channel', 'body'];
const takes = ['thread_id', 'to', 'cc', 'bcc', 'subject', 'from_account_email', 'chat_id'];

/** Adjusts the example to its channel: an email has recipients and a subject, others have a thread. */
function adjustExample(
  example: JsonObject,
  given: ArgumentValues,
  { code, availableValues = [], fieldErrors = [] }: KithError,
): JsonObject {
  // The only channel that fits the thread.
  const isOfThread = code === 'INVALID_CHANNEL' && availableValues.length === 1;
  const channel = (isOfThread ? availableValues[0] : example['channel']) ?? 'email';
  const { to, cc, bcc, subject, thread_id: thread, chat_id: chat, ...rest } = example;
  // A token belongs to the previewed message, and this is another one.
  const others = Object.hasOwn(rest, 'confirm_token') ? { ...rest, confirm_token: '<confirm_token>' } : rest;
  if (channel === 'email') {
    // Address lists are checked one after the other: those after the wrong one may be wrong, too.
    const wrong = fieldErrors[0]?.field;
    const copies = {
      ...(cc !== undefined && wrong !== 'to' && { cc }),
      ...(bcc !== undefined && wrong !== 'to' && wrong !== 'cc' && { bcc }),
    };
    const isReply = thread !== undefined && (isOfThread || given['channel'] === channel);
    return {
      ...others,
      channel,
      ...(isReply && { thread_id: thread }),
      to: to ?? ['anna@globex.test'],
      ...copies,
      subject: subject ?? 'Offer',
    };
  }
  const goesToChat = channel === 'whatsapp' && chat !== undefined && thread === undefined;
  return { ...others, channel, ...(goesToChat ? { chat_id: chat } : { thread_id: thread ?? '<thread_id>' }) };
}

export const sendMessage = defineTool({
  name: 'crm_send_message',
  title: 'Send Message',
  description:
    'preview shows exactly what will go out; show it to the user before send, which repeats all of it with the confirm_token. email needs to and subject, linkedin thread_id, whatsapp thread_id or chat_id.',
  input: {
    channel: someOf(sendChannels),
    body: text('HTML for email'),
    thread_id: text('own thread that it replies in'),
    to: texts,
    cc: texts,
    bcc: texts,
    subject: text('also in replies'),
    from_account_email: text('where there are several'),
    chat_id: text(),
    confirm_token: text(),
  },
  output: { mode: 'string', confirm_token: 'string', message: 'object', message_id: 'string' },
  hints: sends,
  actions: {
    preview: { operation: previewMessage, needs, takes, shows: ['to', 'subject'], adjustExample },
    send: {
      operation: send,
      needs,
      takes: [...takes, 'confirm_token'],
      shows: ['to', 'subject', 'confirm_token'],
      adjustExample,
    },
  },
});
