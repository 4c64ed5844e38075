/** Common to the senders of messengers: they send texts into chats, and cannot mark threads. */
import type { Call } from '../../access/call.ts';
import { settingsOf } from '../account-settings.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { MessageSender } from '../provider.ts';

/** A text to send into a chat. */
export interface OutgoingText {
  readonly chatId: string;
  readonly text: string;
  /** The message's id until the provider assigns one. */
  readonly sentAs: string;
}

/** A sender from `send`, which takes the account's settings, and returns the provider's id and throws as `MessageSender.send` does. */
export function messengerSender(
  send: (call: Call, settings: never, text: OutgoingText) => Promise<string | undefined>,
  doubt: NonNullable<MessageSender['doubt']> = () => undefined,
): MessageSender {
  return {
    doubt,
    newMessageId: (id) => id,
    async send(call, account, { messageId, externalThreadId, message }) {
      const settings = await settingsOf(call, account.id);
      if (!settings) throw new ChannelFailure('The account was disconnected meanwhile');
      return send(call, settings as never, { chatId: externalThreadId, text: message.body, sentAs: messageId });
    },
    mark: () => Promise.reject(new ChannelFailure('Threads of messengers cannot be marked')),
  };
}
