/** What a provider of accounts does for the service. */
import type { Call } from '../access/call.ts';
import type { TSchema } from 'typebox';
import type { AccountSettings } from './account-settings.ts';
import type { Account } from './accounts.ts';
import type { Mailbox } from './mailbox.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import type { Json } from '../lib/json.ts';
import type { Watch } from './watch.ts';

export const markActions = ['read', 'unread', 'favorite', 'unfavorite'] as const;

/** A message on its way out. Its id is given before: copies of it that come back are known by that. */
export interface Delivery {
  readonly messageId: string;
  readonly threadId: string;
  /** The thread's id at the provider: the chat of a messenger. */
  readonly externalThreadId: string;
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
  /** The service's address as others see it; undefined where the operator has told none. */
  readonly publicUrl: string | undefined;
  readonly watch: Watch;
  /** There is something new in the account. */
  onNews(): void;
}

/** The way to a provider, and for how long. */
export type Ways = Pick<Call, 'outgoing' | 'signal'>;

/** How a provider's accounts are reached by the service itself. */
export interface Reach<Settings extends AccountSettings = AccountSettings> {
  /** Of the document that connects an account. */
  readonly schema: TSchema;
  channelsOf(settings: Settings): readonly string[];
  /** Throws VALIDATION_ERROR for a document that says too little; where the account does not work, that or ChannelFailure, in the provider's words. */
  tryOut(call: Call, settings: Settings): Promise<void>;
  /** The settings with the refresh tokens that the provider gave in place of theirs; the same settings where it gave none. */
  latest?(call: Call, settings: Settings): Settings;
  /** Brings in what the account has and the organization has not. Throws ChannelFailure, and AccountGone where it was removed meanwhile. */
  bringIn(call: Call, account: Mailbox, settings: Settings, rhythm: Rhythm | undefined): Promise<void>;
  /**
   * Tells the provider, once, that nobody is at `hookUrl` any more: the account was removed. Absent where the provider was not told of
   * it by the service. Throws ChannelFailure where it does not take that.
   */
  leave?(ways: Ways, settings: Settings, hookUrl: string): Promise<void>;
  /** Absent where the provider does not call in. */
  readonly hook?: ProviderHook<Settings>;
}

/** A request of somebody who may be the provider. */
export interface HookRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came, since signatures are of the bytes. */
  readonly body: Uint8Array;
  /** What the body says. Throws VALIDATION_ERROR where that is no JSON. */
  told(): Promise<Json>;
}

/** How a provider tells the service by itself what is new. */
export interface ProviderHook<Settings extends AccountSettings = AccountSettings> {
  isGenuine(settings: Settings, request: HookRequest): boolean;
  /** What it is answered that asks whether this is the address; undefined where it does not prove to be the provider. */
  confirmed?(settings: Settings, query: URLSearchParams): string | undefined;
  /** Keeps what it tells, in one transaction: what comes again is there already. Throws AccountGone. */
  receive(call: Call, account: Mailbox, settings: Settings, told: Json): Promise<void>;
}

/** Called within `Call.sendOut`: nothing that it has done is done again. It looks at nobody's rights. */
export interface Driver {
  /** The id that a message of the account will have there, made of one that nothing else has. */
  newMessageId(id: string, account: Account): string;
  /**
   * Hands the message to the provider, and gives the id that it has there where that is another one. Throws ChannelFailure where it
   * did not go out; anything else that it throws says that nobody knows.
   */
  send(call: Call, account: Account, delivery: Delivery): Promise<string | undefined>;
  /** What whoever is about to send should know: the provider may not take a message where somebody was heard of last at that time. */
  doubt?(now: number, heardAt: number | undefined): string | undefined;
  /** Marks a thread in the mailbox. Throws ChannelFailure. */
  mark(call: Call, account: Account, mark: Mark): Promise<void>;
}
