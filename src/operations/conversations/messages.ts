/**
 * Sends messages in two steps: a preview shows exactly what will be sent, and its token sends it. [spec: crm_send_message,
 * crm_mark_email]
 */
import { Type } from 'typebox';
import { digestOfDraft, newToken } from '../../channels/confirmation.ts';
import { senderOf } from '../../channels/providers.ts';
import { markThread as markInMailbox } from '../../channels/marks.ts';
import { draftOf } from '../../channels/outgoing-message.ts';
import { sandboxOutbox } from '../../channels/sandbox.ts';
import { sendDraft } from '../../channels/sends.ts';
import { errors } from '../../errors.ts';
import { storedDataKey } from '../../records/conversations/contents.ts';
import { defineOperation } from '../door/operation.ts';
import { ConfirmToken, MarkAction, MarkOut, messageInput, OutboxOut, PreviewOut, SentOut } from './message-shapes.ts';

export const previewMessage = defineOperation({
  id: 'message.preview',
  summary: 'Preview a message exactly, with the token that sends it; nothing is sent',
  input: Type.Object(messageInput, { additionalProperties: false }),
  output: PreviewOut,
  effect: 'read',
  cost: 'global',
  async run(call, input) {
    const draft = await draftOf(call, input);
    const doubt = senderOf(draft.account).doubt?.(call.now, draft.thread?.heardAt);
    const [stored] = await call.workspace.read(storedDataKey(call));
    const vault = call.vault(stored?.rows[0]?.[0] ?? '');
    return {
      mode: 'preview',
      confirm_required: true,
      confirm_token: newToken(vault, call.me, await digestOfDraft(call.me, draft), call.now),
      message: draft.message,
      note: [
        'Nothing was sent. To send exactly this, repeat it with the confirm_token within five minutes.',
        ...(doubt === undefined ? [] : [doubt]),
      ].join(' '),
    };
  },
});

export const sendMessage = defineOperation({
  id: 'message.send',
  summary: 'Send a previewed message',
  input: Type.Object({ ...messageInput, confirm_token: ConfirmToken }, { additionalProperties: false }),
  output: SentOut,
  effect: 'external',
  cost: 'global',
  async run(call, { confirm_token: token, ...input }) {
    if (!token) throw errors.confirmRequired();
    const draft = await draftOf(call, input);
    const { messageId, threadId, isRepetition } = await sendDraft(
      call,
      draft,
      await digestOfDraft(call.me, draft),
      token,
    );
    const { message } = draft;
    const mode = isRepetition ? 'duplicate_suppressed' : 'sent';
    return { mode, channel: message.channel, message_id: messageId, thread_id: threadId, message };
  },
});

export const markEmail = defineOperation({
  id: 'thread.mark',
  summary: 'Mark an email thread of the caller in its mailbox',
  input: Type.Object(
    { id: Type.String({ description: 'Id of the thread' }), action: MarkAction },
    { additionalProperties: false },
  ),
  output: MarkOut,
  effect: 'external',
  cost: 'global',
  async run(call, { id, action }) {
    return { thread_id: await markInMailbox(call, { threadId: id, action }), action, channel: 'email', applied: true };
  },
});

/** For trying out an integration from the command line; it has no route. */
export const readSandbox = defineOperation({
  id: 'sandbox.outbox',
  summary: 'Sent and marked messages of accounts of the provider sandbox',
  input: Type.Object({ account: Type.Optional(Type.String()) }, { additionalProperties: false }),
  output: OutboxOut,
  effect: 'read',
  cost: 'global',
  adminOnly: 'Reading the sandbox',
  run: (call, { account }) => sandboxOutbox(call, account),
});
