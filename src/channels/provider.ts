/** The interfaces that each provider of accounts implements: connecting and syncing (`AccountConnector`), hooks, and sending (`MessageSender`). */
import type { Call } from '../access/call.ts';
import type { TSchema } from 'typebox';
import type { AccountSettings } from './account-settings.ts';
import type { Account } from './accounts.ts';
import type { Mailbox } from './mailbox.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import type { Json } from '../lib/json.ts';
import type { Watch } from './watch.ts';

export const markActions = ['read', 'unread', 'favorite', 'unfavorite'] as const;

/** An outgoing message. Its id is chosen before it is sent, so that copies that come back are recognized. */
export interface Delivery {
  readonly messageId: string;
  readonly threadId: string;
  /** The thread's id at the provider: the chat of a messenger. */
  readonly externalThreadId: string;
  readonly message: OutgoingMessage;
  /** The body as plain text. */
  readonly plain: string;
}

/** A mark for all messages of a thread in the mailbox. */
export interface Mark {
  readonly threadId: string;
  readonly action: (typeof markActions)[number];
}

/** How an account is synced repeatedly. */
export interface Rhythm {
  readonly everyMs: number;
  /** The public address of the service; undefined if the operator has not set one. */
  readonly publicUrl: string | undefined;
  readonly watch: Watch;
  /** Called when the account has something new. */
  onNews(): void;
}

/** Outgoing requests to a provider, and the signal that ends them. */
export type OutgoingAccess = Pick<Call, 'outgoing' | 'signal'>;

/** Connects and syncs the accounts of one provider. */
export interface AccountConnector<Settings extends AccountSettings = AccountSettings> {
  /** The schema of the document that connects an account. */
  readonly schema: TSchema;
  channelsOf(settings: Settings): readonly string[];
  /** Signs in with the settings. Throws VALIDATION_ERROR for an incomplete document; VALIDATION_ERROR or ChannelFailure, in the provider's words, if the account does not work. */
  tryOut(call: Call, settings: Settings): Promise<void>;
  /** The settings with the refresh tokens that replaced theirs; the same object if none was replaced. */
  latest?(call: Call, settings: Settings): Settings;
  /** Imports what the account has and the organization lacks. Throws ChannelFailure; AccountGone if the account was removed meanwhile. */
  bringIn(call: Call, account: Mailbox, settings: Settings, rhythm: Rhythm | undefined): Promise<void>;
  /**
   * Unregisters `hookUrl` at the provider after the account was removed; tried once. Absent if the service did not register it.
   * Throws ChannelFailure if the provider refuses.
   */
  leave?(access: OutgoingAccess, settings: Settings, hookUrl: string): Promise<void>;
  /** Absent if the provider sends no webhooks. */
  readonly hook?: ProviderHook<Settings>;
}

/** A webhook request, not yet verified to come from the provider. */
export interface HookRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes, which signatures cover. */
  readonly body: Uint8Array;
  /** Parses the body. Throws VALIDATION_ERROR if it is not JSON. */
  json(): Promise<Json>;
}

/** Receives a provider's webhooks. */
export interface ProviderHook<Settings extends AccountSettings = AccountSettings> {
  isGenuine(settings: Settings, request: HookRequest): boolean;
  /** The answer to the provider's verification request; undefined if the request proves nothing. */
  confirmed?(settings: Settings, query: URLSearchParams): string | undefined;
  /** Stores what the webhook reports, in one transaction; repeated webhooks change nothing. Throws AccountGone. */
  receive(call: Call, account: Mailbox, settings: Settings, body: Json): Promise<void>;
}

/** Sends messages and marks threads. Called within `Call.sendOut`, so that nothing is done twice. It does not check permissions. */
export interface MessageSender {
  /** The message id at the provider, made from a unique `id`. */
  newMessageId(id: string, account: Account): string;
  /**
   * Sends the message; returns the provider's id if it differs. Throws ChannelFailure if the message was certainly not sent; any
   * other error means that the outcome is unknown.
   */
  send(call: Call, account: Account, delivery: Delivery): Promise<string | undefined>;
  /** A warning for the sender if the provider may refuse a message, such as after WhatsApp's 24 hours since the last message of the recipient. */
  doubt?(now: number, heardAt: number | undefined): string | undefined;
  /** Marks a thread in the mailbox. Throws ChannelFailure. */
  mark(call: Call, account: Account, mark: Mark): Promise<void>;
}
