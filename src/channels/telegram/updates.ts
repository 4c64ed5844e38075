/** Reads messages from updates of a Telegram bot. */
import type { Json, JsonObject } from '../../lib/json.ts';
import { attached, written, type ChatMessage } from '../messengers/take-messages.ts';
import { objectIn, textIn, timeOfSeconds } from '../messengers/json-values.ts';
import { wantedUpdates } from './bot-api.ts';
import type { TelegramSettings } from './telegram-settings.ts';

/** The number of an update; undefined without a valid one. */
export function numberOf(update: JsonObject): number | undefined {
  const number = Number(textIn(update['update_id']) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Reads the message of an update; undefined without a message that has contents. */
export function messageIn(update: JsonObject, settings: TelegramSettings): ChatMessage | undefined {
  const message = objectIn(wantedUpdates.map((kind) => update[kind]).find((value) => value !== undefined));
  const chat = objectIn(message['chat']);
  const [chatId, messageId] = [textIn(chat['id']), textIn(message['message_id'])];
  const date = timeOfSeconds(message['date']);
  const text = textOf(message);
  if (chatId === undefined || messageId === undefined || date === undefined || text === '') return undefined;
  const sender = objectIn(message['from'] ?? message['sender_chat'] ?? message['chat']);
  const title = textIn(chat['title']);
  // A business connection also delivers the owner's messages; the chat id is the other person's.
  const isOwn = message['business_connection_id'] !== undefined && textIn(sender['id']) !== chatId;
  const others = isOwn && title === undefined ? [personOf(chat)] : [];
  return {
    // Message numbers are unique only within a chat and a bot.
    id: `${settings.bot_token.split(':', 1)[0]}/${chatId}/${messageId}`,
    chatId,
    title,
    isOwn,
    date,
    participants: isOwn
      ? [settings.account_email, ...others]
      : [personOf(sender), settings.account_email, ...ownNumber(message, sender)],
    text,
  };
}

/** The person as a participant, with the user name or `telegram:` and the id; a bare id would look like a phone number. */
function personOf(person: JsonObject): string {
  const [first, last, title] = [textIn(person['first_name']), textIn(person['last_name']), textIn(person['title'])];
  const name = title ?? [first, last].filter((part) => part !== undefined).join(' ');
  const user = textIn(person['username']);
  return written(name, user === undefined ? `telegram:${textIn(person['id']) ?? ''}` : `@${user}`);
}

/** The phone number of a sender who shares the own contact; it identifies the person among contacts. */
function ownNumber({ contact }: JsonObject, sender: JsonObject): readonly string[] {
  const { phone_number: phone, user_id: user } = objectIn(contact);
  const number = textIn(phone);
  if (number === undefined || textIn(user) !== textIn(sender['id'])) return [];
  return [`+${number.replace(/^\+/, '')}`];
}

/** The text or caption, after placeholders for attachments, which are not stored. */
function textOf(message: JsonObject): string {
  const text = textIn(message['text']) ?? textIn(message['caption']);
  return [...attachments(message), ...(text === undefined ? [] : [text])].join('\n');
}

const kinds: readonly (readonly [key: string, what: (value: Json) => string])[] = [
  ['photo', () => attached('photo')],
  ['animation', () => attached('animation')],
  ['video', (value) => named('video', value)],
  ['audio', (value) => named('audio', value)],
  ['voice', () => attached('voice message')],
  ['video_note', () => attached('video message')],
  ['sticker', (value) => named('sticker', value, 'emoji')],
  ['contact', (value) => contactText(objectIn(value))],
  ['venue', (value) => named('place', value, 'title')],
  ['location', (value) => placeText(objectIn(value))],
  ['poll', (value) => named('poll', value, 'question')],
];

function attachments(message: JsonObject): readonly string[] {
  // Telegram repeats an animation as a document, and a venue as a location.
  const document =
    message['document'] !== undefined && message['animation'] === undefined ? [named('file', message['document'])] : [];
  const others = kinds.flatMap(([key, what]) => {
    const value = message[key];
    return value === undefined || (key === 'location' && message['venue'] !== undefined) ? [] : [what(value)];
  });
  return [...document, ...others];
}

function named(what: string, value: Json, key = 'file_name'): string {
  return attached(what, textIn(objectIn(value)[key]));
}

function contactText({ first_name: first, last_name: last, phone_number: number }: JsonObject): string {
  return attached('contact', [first, last, number].flatMap((part) => textIn(part) ?? []).join(' '));
}

function placeText({ latitude, longitude }: JsonObject): string {
  return attached('place', `${textIn(latitude) ?? ''}, ${textIn(longitude) ?? ''}`);
}
