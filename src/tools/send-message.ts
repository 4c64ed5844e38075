/** [spec: crm_send_message] */
import { previewMessage, sendMessage as send } from '../operations/messages.ts';
import { someOf, text, texts } from './arguments.ts';
import { defineTool, sends } from './define.ts';

const needs = ['channel', 'body'];
const takes = ['thread_id', 'to', 'cc', 'bcc', 'subject', 'from_account_email', 'chat_id'];

export const sendMessage = defineTool({
  name: 'crm_send_message',
  title: 'Send Message',
  description:
    'preview shows exactly what will go out; show it to the user before send, which repeats all of it with the confirm_token. email needs to and subject, linkedin thread_id, whatsapp thread_id or chat_id.',
  input: {
    channel: someOf(['email', 'linkedin', 'whatsapp']),
    body: text('HTML for email'),
    thread_id: text('own thread to reply in'),
    to: texts,
    cc: texts,
    bcc: texts,
    subject: text('also in replies'),
    from_account_email: text('of several'),
    chat_id: text(),
    confirm_token: text(),
  },
  output: { mode: 'string', confirm_token: 'string', message: 'object', message_id: 'string' },
  hints: sends,
  actions: {
    preview: { operation: previewMessage, needs, takes, shows: ['to', 'subject'] },
    send: { operation: send, needs, takes: [...takes, 'confirm_token'], shows: ['to', 'subject', 'confirm_token'] },
  },
});
