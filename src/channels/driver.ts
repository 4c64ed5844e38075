/** What a provider of accounts does for the service. */
import type { Call } from '../access/call.ts';
import type { TSchema } from 'typebox';
import type { AccountSettings } from './account-settings.ts';
import type { Account } from './accounts.ts';
import type { Watch } from './imap/watch.ts';
import type { Mailbox } from './mail/take-in.ts';
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

/** For who comes again to an account. */
export interface Rhythm {
  readonly everyMs: number;
  readonly watch: Watch;
  /** There is something new in the account. */
  onNews(): void;
}

/** How a provider's accounts are reached by the service itself. */
export interface Reach<Settings extends AccountSettings = AccountSettings> {
  /** Of the document that connects an account. */
  readonly schema: TSchema;
  channelsOf(settings: Settings): readonly string[];
  /** Throws VALIDATION_ERROR for a document that says too little, and with the provider's words where the account does not work. */
  tryOut(call: Call, settings: Settings): Promise<void>;
  /** Brings in what the account has and the organization has not. Throws ChannelFailure, and AccountGone where it was removed meanwhile. */
  bringIn(call: Call, account: Mailbox, settings: Settings, rhythm: Rhythm | undefined): Promise<void>;
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
