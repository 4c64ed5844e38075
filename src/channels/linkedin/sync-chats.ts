/** Imports LinkedIn chats from their stored positions on: the whole history at first, later what no webhook has reported. */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { Mailbox } from '../mailbox.ts';
import { recognizeSent } from '../messengers/deliveries.ts';
import { takeMessages, type ChatMessage } from '../messengers/take-messages.ts';
import { objectsIn, textIn, timeOfText } from '../messengers/json-values.ts';
import { notePosition, readPositions, type Position } from '../positions.ts';
import { storableKey } from '../storable-text.ts';
import type { LinkedinSettings } from './linkedin-settings.ts';
import { chatIn, messageIn, type Chat } from './chat-messages.ts';
import { askUnified, pagesOf } from './unified-api.ts';

/** Page sizes. */
const pageOf = { chats: '100', messages: '100' };
/** The position that exists once all chats have been imported. */
const allChats = 'chats';

/** An account during its sync. */
interface Reading {
  readonly call: Call;
  readonly account: Mailbox;
  readonly settings: LinkedinSettings;
  readonly positions: ReadonlyMap<string, Position>;
}

/** Imports new messages of all chats. Throws ChannelFailure, or AccountGone if the account was removed meanwhile; stored pages stay. */
export async function syncChats(call: Call, account: Mailbox, settings: LinkedinSettings): Promise<void> {
  const positions = await readPositions(call, account.integrationId);
  const reading = { call, account, settings, positions };
  const query = { account_id: settings.account_id, limit: pageOf.chats };
  for await (const chats of pagesOf(call, settings, { path: ['chats'], query })) {
    const fresh = chats.filter((chat) => hasNews(chat, positions));
    for (const chat of fresh) await syncChat(reading, chat);
    // Chats are sorted by latest message: after a page without news there are none.
    if (fresh.length === 0 && positions.has(allChats)) return;
  }
  await call.part((now) => keep({ ...reading, call: now }, [], { part: allChats, latest: 1 }));
}

function hasNews(chat: JsonObject, positions: ReadonlyMap<string, Position>): boolean {
  const position = positions.get(partOf(chat));
  const latest = timeOfText(chat['timestamp']);
  return (
    textIn(chat['id']) !== undefined && (!position || latest === undefined || Date.parse(latest) > position.lastUid)
  );
}

function partOf(chat: JsonObject): string {
  return storableKey(`chat ${textIn(chat['id']) ?? ''}`);
}

/** Imports a chat, latest page first. Its position is stored last, when nothing is missing before it. */
async function syncChat(reading: Reading, listed: JsonObject): Promise<void> {
  const { call, settings, positions } = reading;
  const part = partOf(listed);
  const since = positions.get(part)?.lastUid;
  const chat = await chatWithPeople(reading, listed);
  const query = {
    limit: pageOf.messages,
    // Overlap, since only one of two simultaneous messages may be stored.
    after: since === undefined ? undefined : new Date(since - 1_000).toISOString(),
  };
  let latest = Math.max(since ?? 0, Date.parse(timeOfText(listed['timestamp']) ?? '') || 0);
  for await (const page of pagesOf(call, settings, { path: ['chats', chat.id, 'messages'], query })) {
    const messages = page.flatMap((message) => messageIn(message, chat, settings) ?? []);
    latest = messages.reduce((last, { date }) => Math.max(last, Date.parse(date)), latest);
    if (messages.length > 0) await call.part((now) => keep({ ...reading, call: now }, messages));
  }
  await call.part((now) => keep({ ...reading, call: now }, [], { part, latest }));
}

/** The chat with its attendees, which are a separate request; if that fails, the chat's name stands for them. */
async function chatWithPeople({ call, settings }: Reading, chat: JsonObject): Promise<Chat> {
  const response = await askUnified(call, settings, { path: ['chats', textIn(chat['id']) ?? '', 'attendees'] });
  return chatIn(chat, response.status === 200 ? objectsIn(response.body['items']) : []);
}

function keep(
  { call, account }: Reading,
  messages: readonly ChatMessage[],
  read?: { readonly part: string; readonly latest: number },
): Promise<void> {
  return takeMessages(call, account, 'linkedin', messages, async (tx) => {
    await recognizeSent(call, tx, account, 'linkedin', messages);
    if (!read) return;
    const position = { uidValidity: '0', lastUid: read.latest, remaining: 0 };
    await notePosition(call, tx, account.integrationId, read.part, position);
  });
}

/** Throws ChannelFailure if LinkedIn has ended the session: the provider would then return outdated lists. */
export async function requireConnected(call: Call, settings: LinkedinSettings): Promise<void> {
  const response = await askUnified(call, settings, { path: ['accounts', settings.account_id] });
  // The next request reports any other problem.
  if (response.status !== 200) return;
  const states = objectsIn(response.body['sources']).map((source) => textIn(source['status']));
  if (states.includes('CREDENTIALS')) throw disconnected();
}

/** The failure of an account whose user must sign in to LinkedIn again. */
export const disconnected = () =>
  new ChannelFailure('LinkedIn has ended the connection: connect the account again at the provider', true);
