/** Validates a message by the rules of its channel, and drafts it. [spec: crm_send_message] */
import type { Call } from '../access/call.ts';
import { errors, quoted } from '../errors.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import { emailAddress } from '../fields/types/emails.ts';
import { unstorableText } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import { sendChannels, type SendChannel } from '../model/channels.ts';
import { cleanMessage } from '../records/conversations/clean-message.ts';
import { accountsIn, accountsOf, senderAmong, type Account } from './accounts.ts';
import { ownThreadIn, threadOfChat, threadWithId, type OwnThread } from './own-thread.ts';

/** Recipients per message, in `to`, `cc` and `bcc` together. */
export const mostRecipients = 100;

/** The caller's input. */
export interface MessageInput {
  readonly channel: string;
  readonly body: string;
  readonly thread_id?: string;
  readonly to?: readonly string[];
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly subject?: string;
  readonly from_account_email?: string;
  readonly chat_id?: string;
}

export interface OutgoingMessage {
  readonly channel: SendChannel;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string | null;
  readonly body: string;
  readonly reply_to_thread: string | null;
}

export interface Draft {
  readonly account: Account;
  /** The thread of a reply; undefined for a new conversation. */
  readonly thread: OwnThread | undefined;
  readonly message: OutgoingMessage;
  /** The body as plain text. */
  readonly plain: string;
}

/**
 * Drafts the message with its account and thread. Throws INVALID_CHANNEL, MISSING_REQUIRED_FIELD and VALIDATION_ERROR
 * for input that the channel does not accept, and the errors of `senderAmong` and `ownThreadIn`.
 */
export async function draftOf(call: Call, input: MessageInput): Promise<Draft> {
  const channel = sendChannels.find((known) => known === input.channel);
  if (channel === undefined)
    throw errors.invalidChannel(
      `Messages cannot be sent by the channel ${quoted(input.channel)}${didYouMean(input.channel, sendChannels)}`,
      sendChannels,
    );
  const envelope = channel === 'email' ? emailEnvelope(input) : messengerEnvelope(input, channel);
  const { body, plain } = await bodyOf(call, channel, input.body);
  const { account, thread } = await accountAndThread(call, channel, input);
  const to = channel === 'email' ? envelope.to : othersIn(thread, account);
  const message = { channel, from: account.address, ...envelope, to, body, reply_to_thread: thread?.id ?? null };
  return { account, thread, message, plain };
}

async function accountAndThread(
  call: Call,
  channel: SendChannel,
  { thread_id: threadId, chat_id: chatId, from_account_email: from }: MessageInput,
): Promise<Pick<Draft, 'account' | 'thread'>> {
  const threads = [
    ...(threadId === undefined ? [] : [threadWithId(call, threadId)]),
    ...(chatId === undefined ? [] : [threadOfChat(call, channel, chatId)]),
  ];
  const [accounts, ...found] = await call.workspace.read(accountsOf(call, channel), ...threads);
  const own = found.map((rows, index) => ownThreadIn(rows, (index === 0 ? (threadId ?? chatId) : chatId) ?? ''));
  const [thread, chat] = own;
  if (thread && thread.channel !== channel)
    throw errors.invalidChannel(`The thread is of the channel ${thread.channel}, not of ${channel}`, [thread.channel]);
  if (thread && chat && thread.id !== chat.id) throw errors.validation('chat_id and thread_id name different threads');
  return { account: senderAmong(accountsIn(accounts), channel, from), thread };
}

type Envelope = Pick<OutgoingMessage, 'to' | 'cc' | 'bcc' | 'subject'>;

function emailEnvelope({ to = [], cc = [], bcc = [], subject, chat_id }: MessageInput): Envelope {
  if (chat_id !== undefined) throw errors.validation('chat_id is only for whatsapp; put email recipients in to');
  if (to.length === 0) throw errors.missingField('to', 'an email needs recipients');
  if (to.length + cc.length + bcc.length > mostRecipients)
    throw errors.validation(`An email takes at most ${mostRecipients} recipients`);
  const title = subject?.trim() ?? '';
  if (title === '') throw errors.missingField('subject', 'an email needs a subject, even as a reply');
  const problem = /\p{Cc}/u.test(title) ? 'contains a control character' : unstorableText(title);
  if (problem !== undefined) throw errors.validation(`subject ${problem}`, [{ field: 'subject', message: problem }]);
  return { to: addressesIn('to', to), cc: addressesIn('cc', cc), bcc: addressesIn('bcc', bcc), subject: title };
}

function messengerEnvelope(input: MessageInput, channel: SendChannel): Envelope {
  for (const name of ['to', 'cc', 'bcc', 'subject'] as const)
    if ((input[name] ?? '').length > 0)
      throw errors.validation(`${name} is only for email; a ${channel} message goes into a thread`);
  if (channel === 'linkedin' && input.chat_id !== undefined)
    throw errors.validation('chat_id is only for whatsapp; linkedin only takes replies, by thread_id');
  if (input.thread_id === undefined && input.chat_id === undefined)
    throw errors.missingField('thread_id', channel === 'linkedin' ? 'linkedin only takes replies' : 'or chat_id');
  return { to: [], cc: [], bcc: [], subject: null };
}

/** The distinct addresses, trimmed, with their names. Throws VALIDATION_ERROR. */
function addressesIn(field: string, texts: readonly string[]): readonly string[] {
  const written = new Map<string, string>();
  for (const text of texts) {
    const [, name, bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
    const address = checkedAddress(field, (bracketed ?? text).trim());
    const called = name?.trim() ?? '';
    if (/\p{Cc}/u.test(called) || unstorableText(called) !== undefined)
      throw errors.validation(`${field} has a name with control characters`);
    const key = address.toLowerCase();
    if (!written.has(key)) written.set(key, called === '' ? address : `${called} <${address}>`);
  }
  return [...written.values()];
}

function checkedAddress(field: string, address: string): string {
  try {
    if (unstorableText(address) === undefined && !/[<>,;]/.test(address)) return emailAddress(address);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
  }
  const message = `${field} must have e-mail addresses such as anna@acme.com, not ${quoted(address)}`;
  throw errors.validation(message, [{ field, message }]);
}

/** The sanitized HTML of an email, or the text of a messenger message unchanged; and either as plain text. */
async function bodyOf(call: Call, channel: SendChannel, text: string): Promise<{ body: string; plain: string }> {
  const { html, text: plain } = channel === 'email' ? await cleanMessage(call, 'body', text) : { html: text, text };
  if (plain.trim() === '') throw errors.missingField('body', 'a message needs text');
  const problem = unstorableText(html);
  if (problem !== undefined) throw errors.validation(`body ${problem}`);
  return { body: html, plain };
}

/** The recipients in a chat: its participants, except the account itself. */
function othersIn(thread: OwnThread | undefined, { address }: Account): readonly string[] {
  const own = address.toLowerCase();
  return (thread?.participants ?? []).filter((participant) => participant.toLowerCase() !== own);
}
