/** Brings in the chats of LinkedIn, each from where it was left: all that there is at first, and later what no hook has told. */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { Mailbox } from '../mailbox.ts';
import { recognizeSent } from '../messengers/deliveries.ts';
import { takeMessages, type ChatMessage } from '../messengers/take-messages.ts';
import { objectsIn, textIn, timeOfText } from '../messengers/told.ts';
import { notePosition, readPositions, type Position } from '../positions.ts';
import { storableKey } from '../storable-text.ts';
import type { LinkedinSettings } from './linkedin-settings.ts';
import { chatIn, messageIn, type Chat } from './told-messages.ts';
import { askUnified, pagesOf } from './unified-api.ts';

/** How many are asked for at once. */
const pageOf = { chats: '100', messages: '100' };
/** The part that says whether all chats were there once. */
const whole = 'chats';

/** Who reads, and how far it was. */
interface Reading {
  readonly call: Call;
  readonly account: Mailbox;
  readonly settings: LinkedinSettings;
  readonly positions: ReadonlyMap<string, Position>;
}

/** Throws ChannelFailure, and AccountGone where the account was removed meanwhile; what is kept stays. */
export async function syncChats(call: Call, account: Mailbox, settings: LinkedinSettings): Promise<void> {
  const positions = await readPositions(call, account.integrationId);
  const reading = { call, account, settings, positions };
  const query = { account_id: settings.account_id, limit: pageOf.chats };
  for await (const chats of pagesOf(call, settings, { path: ['chats'], query })) {
    const fresh = chats.filter((chat) => hasNews(chat, positions));
    for (const chat of fresh) await syncChat(reading, chat);
    // The latest come first: behind a page without news there are none.
    if (fresh.length === 0 && positions.has(whole)) return;
  }
  await call.part((now) => keep({ ...reading, call: now }, [], { part: whole, latest: 1 }));
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

/** Page by page, the latest first. How far it is read is known when all that lies between is kept. */
async function syncChat(reading: Reading, given: JsonObject): Promise<void> {
  const { call, settings, positions } = reading;
  const part = partOf(given);
  const since = positions.get(part)?.lastUid;
  const chat = await chatWithPeople(reading, given);
  const query = {
    limit: pageOf.messages,
    // Of two at one moment, one may be there already.
    after: since === undefined ? undefined : new Date(since - 1_000).toISOString(),
  };
  let latest = Math.max(since ?? 0, Date.parse(timeOfText(given['timestamp']) ?? '') || 0);
  for await (const page of pagesOf(call, settings, { path: ['chats', chat.id, 'messages'], query })) {
    const messages = page.flatMap((message) => messageIn(message, chat, settings) ?? []);
    latest = messages.reduce((last, { date }) => Math.max(last, Date.parse(date)), latest);
    if (messages.length > 0) await call.part((now) => keep({ ...reading, call: now }, messages));
  }
  await call.part((now) => keep({ ...reading, call: now }, [], { part, latest }));
}

/** Who takes part is a list of its own; without it, the chat's name says who. */
async function chatWithPeople({ call, settings }: Reading, chat: JsonObject): Promise<Chat> {
  const said = await askUnified(call, settings, { path: ['chats', textIn(chat['id']) ?? '', 'attendees'] });
  return chatIn(chat, said.status === 200 ? objectsIn(said.body['items']) : []);
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

/** Throws ChannelFailure where LinkedIn has ended the connection: what is told below would be old. */
export async function requireConnected(call: Call, settings: LinkedinSettings): Promise<void> {
  const said = await askUnified(call, settings, { path: ['accounts', settings.account_id] });
  // What is wrong beside, the next request is told.
  if (said.status !== 200) return;
  const states = objectsIn(said.body['sources']).map((source) => textIn(source['status']));
  if (states.includes('CREDENTIALS')) throw disconnected();
}

/** Of an account that LinkedIn wants to be signed into again. */
export const disconnected = () =>
  new ChannelFailure('LinkedIn has ended the connection: connect the account again at the provider', true);
