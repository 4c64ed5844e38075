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
}

/** What becomes of all messages of a thread in the mailbox. */
export interface Mark {
  readonly threadId: string;
  readonly action: (typeof markActions)[number];
}

/** Called within `Call.sendOut`: nothing that it has done is done again. It looks at nobody's rights. */
export interface Driver {
  /** The id that a message will have there, made of one that nothing else has. */
  newMessageId(id: string): string;
  /** Hands the message to the provider. What it throws says that nobody knows whether it went out. */
  send(call: Call, account: Account, delivery: Delivery): Promise<void>;
  /** Marks a thread in the mailbox. */
  mark(call: Call, account: Account, mark: Mark): Promise<void>;
}
