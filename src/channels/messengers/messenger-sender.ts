/** What drivers of messengers have in common: they send texts into chats, and know no marks. */
import type { Call } from '../../access/call.ts';
import { settingsOf } from '../account-settings.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { MessageSender } from '../provider.ts';

/** A text on its way into a chat. */
export interface OutgoingText {
  readonly chatId: string;
  readonly text: string;
  /** The id that it has here until the provider gives one. */
  readonly sentAs: string;
}

/** A driver that hands texts over with `send`, which takes the settings of its provider's accounts, gives the provider's id and throws as `MessageSender.send` does. */
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
    mark: () => Promise.reject(new ChannelFailure('A messenger has no marks')),
  };
}
