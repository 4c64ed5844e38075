/** What a provider of accounts does for the service. */
import type { Call } from '../access/call.ts';
import type { Account } from './accounts.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

export const markActions = ['read', 'unread', 'favorite', 'unfavorite'] as const;

/** A message on its way out. Its id is given before: copies of it that come back are known by that. */
export interface Delivery {
  readonly messageId: string;
  readonly threadId: string;
  readonly message: OutgoingMessage;
  /** What it says without HTML. */
  readonly plain: string;
}

/** What becomes of all messages of a thread in the mailbox. */
export interface Mark {
  readonly threadId: string;
  readonly action: (typeof markActions)[number];
}

/** Called within `Call.sendOut`: nothing that it has done is done again. It looks at nobody's rights. */
export interface Driver {
  /** The id that a message of the account will have there, made of one that nothing else has. */
  newMessageId(id: string, account: Account): string;
  /** Hands the message to the provider. Throws ChannelFailure where it did not go out; anything else that it throws says that nobody knows. */
  send(call: Call, account: Account, delivery: Delivery): Promise<void>;
  /** Marks a thread in the mailbox. Throws ChannelFailure. */
  mark(call: Call, account: Account, mark: Mark): Promise<void>;
}
