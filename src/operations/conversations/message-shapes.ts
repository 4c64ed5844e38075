/** Inputs and outputs of the operations that send messages. [spec: crm_send_message, crm_mark_email] */
import { Type } from 'typebox';
import { describedAs } from '../../describe/annotations.ts';
import { markActions } from '../../channels/provider.ts';
import { mostRecipients } from '../../channels/outgoing-message.ts';
import { sendChannels } from '../../model/channels.ts';
import { Choice } from '../inputs.ts';
import { Id, Nullable, Time } from '../outputs.ts';

/** The most characters of a body. */
const longestBody = 1_000_000;

const address = Type.String({ maxLength: 500 });
const recipients = (description: string) =>
  Type.Optional(Type.Array(address, { maxItems: mostRecipients, description }));

/** The message. A preview takes it, and the send must repeat all of it. */
export const messageInput = {
  channel: Type.String(describedAs(Type.String({ enum: [...sendChannels] }))),
  body: Type.String({ maxLength: longestBody, description: 'HTML for email, else plain text' }),
  thread_id: Type.Optional(
    Type.String({ description: 'The own thread that it replies in: needed for linkedin, the chat for whatsapp' }),
  ),
  to: recipients('Addresses, also as `Anna Lee <anna@globex.test>`; needed for email, and only there'),
  cc: recipients('As `to`'),
  bcc: recipients('As `to`'),
  subject: Type.Optional(Type.String({ maxLength: 998, description: 'Needed for email, also in replies' })),
  from_account_email: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'The own account that sends it; needed where there are several' }),
  ),
  chat_id: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'The chat of whatsapp: the external_thread_id of an own thread' }),
  ),
};

export const ConfirmToken = Type.Optional(
  Type.String({ maxLength: 2_000, description: 'confirm_token of the preview of exactly this message' }),
);

const MessageOut = Type.Object({
  channel: Choice(sendChannels),
  from: Type.String(),
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  bcc: Type.Array(Type.String()),
  subject: Nullable(Type.String()),
  body: Type.String({ description: 'As it goes out: of HTML, what is harmless' }),
  reply_to_thread: Nullable(Id),
});

export const PreviewOut = Type.Object({
  mode: Choice(['preview']),
  confirm_required: Type.Boolean({ description: 'true' }),
  confirm_token: Type.String(),
  message: MessageOut,
  note: Type.String(),
});

export const SentOut = Type.Object({
  mode: Choice(['sent', 'duplicate_suppressed']),
  channel: Choice(sendChannels),
  message_id: Type.String({ description: 'Of a duplicate, the id of the first' }),
  thread_id: Id,
  message: MessageOut,
});

const Sandboxed = { thread_id: Id, at: Time };

export const OutboxOut = Type.Object({
  sent: Type.Array(
    Type.Object({ ...Type.Omit(MessageOut, ['reply_to_thread']).properties, message_id: Type.String(), ...Sandboxed }),
  ),
  marks: Type.Array(Type.Object({ ...Sandboxed, action: Choice(markActions) })),
});

export const MarkAction = Choice(markActions);

export const MarkOut = Type.Object({
  thread_id: Id,
  action: MarkAction,
  channel: Choice(['email']),
  applied: Type.Boolean({ description: 'Whether the mailbox has taken it' }),
});
