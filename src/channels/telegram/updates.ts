/** What people wrote to a bot of Telegram, of the updates that tell it. */
import type { Json, JsonObject } from '../../lib/json.ts';
import { attached, written, type ChatMessage } from '../messengers/take-messages.ts';
import { objectIn, textIn, timeOfSeconds } from '../messengers/told.ts';
import { wantedUpdates } from './bot-api.ts';
import type { TelegramSettings } from './telegram-settings.ts';

/** The number of an update; undefined for what is none. */
export function numberOf(update: JsonObject): number | undefined {
  const number = Number(textIn(update['update_id']) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The message of an update; undefined where it has none that somebody wrote. */
export function messageIn(update: JsonObject, settings: TelegramSettings): ChatMessage | undefined {
  const message = objectIn(wantedUpdates.map((kind) => update[kind]).find((found) => found !== undefined));
  const chat = objectIn(message['chat']);
  const [chatId, messageId] = [textIn(chat['id']), textIn(message['message_id'])];
  const date = timeOfSeconds(message['date']);
  const text = textOf(message);
  if (chatId === undefined || messageId === undefined || date === undefined || text === '') return undefined;
  const sender = objectIn(message['from'] ?? message['sender_chat'] ?? message['chat']);
  const title = textIn(chat['title']);
  // In a chat of a person that a bot answers for, what that person writes comes, too: the chat is the other one's.
  const isOwn = message['business_connection_id'] !== undefined && textIn(sender['id']) !== chatId;
  const others = isOwn && title === undefined ? [personOf(chat)] : [];
  return {
    // Numbers of messages begin anew in each chat, and with each bot.
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

/** By the name that others find the person by: the id is a number, which is none of a telephone. */
function personOf(person: JsonObject): string {
  const [first, last, title] = [textIn(person['first_name']), textIn(person['last_name']), textIn(person['title'])];
  const name = title ?? [first, last].filter((part) => part !== undefined).join(' ');
  const user = textIn(person['username']);
  return written(name, user === undefined ? `telegram:${textIn(person['id']) ?? ''}` : `@${user}`);
}

/** The telephone number of somebody who sends the own: by it the person is found among contacts. */
function ownNumber({ contact }: JsonObject, sender: JsonObject): readonly string[] {
  const { phone_number: given, user_id: user } = objectIn(contact);
  const number = textIn(given);
  if (number === undefined || textIn(user) !== textIn(sender['id'])) return [];
  return [`+${number.replace(/^\+/, '')}`];
}

/** What it says, and of what it brings along that it does: nothing of that is kept. */
function textOf(message: JsonObject): string {
  const said = textIn(message['text']) ?? textIn(message['caption']);
  return [...attachments(message), ...(said === undefined ? [] : [said])].join('\n');
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
  // An animation is told as a document, too, and a venue as a location.
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
