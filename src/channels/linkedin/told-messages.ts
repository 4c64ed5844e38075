/** Messages of LinkedIn, as lists have them and as the hook tells them. */
import type { JsonObject } from '../../lib/json.ts';
import { attached, mostParticipants, written, type ChatMessage } from '../messengers/take-messages.ts';
import { objectIn, objectsIn, textIn, timeOfText } from '../messengers/told.ts';
import type { LinkedinSettings } from './linkedin-settings.ts';

/** What is known of a chat beside its messages. */
export interface Chat {
  readonly id: string;
  readonly title: string | undefined;
  /** Who takes part, by each of the ids that messages name them with. */
  readonly people: ReadonlyMap<string, string>;
  /** Those beside the account itself, as they are written. */
  readonly others: readonly string[];
}

/** The chat of a list, with who takes part in it as another list has it. */
export function chatIn(chat: JsonObject, attendees: readonly JsonObject[]): Chat {
  const told = attendees.slice(0, mostParticipants).map((attendee) => ({
    ids: [textIn(attendee['id']), textIn(attendee['provider_id'])].filter((id) => id !== undefined),
    isSelf: isTrue(attendee['is_self']),
    text: personOf(textIn(attendee['name']), textIn(attendee['profile_url']), textIn(attendee['provider_id'])),
  }));
  const name = textIn(chat['name']);
  const others = told.filter(({ isSelf }) => !isSelf).map(({ text }) => text);
  return {
    id: textIn(chat['id']) ?? '',
    title: textIn(chat['subject']) ?? (textIn(chat['type']) === '0' ? undefined : name),
    people: new Map(told.flatMap(({ ids, text }) => ids.map((id) => [id, text] as const))),
    others: others.length > 0 || name === undefined ? others : [written(name, undefined)],
  };
}

/** A message of a list; undefined for what nobody wrote, and what was taken back. */
export function messageIn(message: JsonObject, chat: Chat, settings: LinkedinSettings): ChatMessage | undefined {
  if (['is_event', 'hidden', 'deleted'].some((name) => isTrue(message[name]))) return undefined;
  const isOwn = isTrue(message['is_sender']);
  const known = [message['sender_attendee_id'], message['sender_id']].flatMap(
    (id) => chat.people.get(textIn(id) ?? '') ?? [],
  );
  const sender = known[0] ?? chat.others[0] ?? personOf(undefined, undefined, textIn(message['sender_id']));
  return made(message, {
    id: textIn(message['id']),
    chatId: chat.id,
    title: chat.title ?? textIn(message['subject']),
    isOwn,
    text: textIn(message['text']),
    participants: isOwn ? [settings.account_email, ...chat.others] : [sender, settings.account_email, ...chat.others],
  });
}

/** The message that the hook tells; undefined where it tells none. */
export function toldMessageIn(told: JsonObject, settings: LinkedinSettings): ChatMessage | undefined {
  if (isTrue(told['is_event'])) return undefined;
  const sender = objectIn(told['sender']);
  const own = textIn(objectIn(told['account_info'])['user_id']);
  const isSelf = (person: JsonObject) => own !== undefined && textIn(person['attendee_provider_id']) === own;
  const isOwn = isTrue(told['is_sender']) || isSelf(sender);
  const written = (person: JsonObject) =>
    personOf(
      textIn(person['attendee_name']),
      textIn(person['attendee_profile_url']),
      textIn(person['attendee_provider_id']),
    );
  const others = objectsIn(told['attendees'])
    .slice(0, mostParticipants)
    .filter((person) => !isSelf(person))
    .map(written);
  return made(told, {
    id: textIn(told['message_id']),
    chatId: textIn(told['chat_id']),
    title: textIn(told['subject']),
    isOwn,
    text: textIn(told['message']),
    participants: isOwn ? [settings.account_email, ...others] : [written(sender), settings.account_email, ...others],
  });
}

type Made = Pick<ChatMessage, 'title' | 'isOwn' | 'participants'> & {
  readonly id: string | undefined;
  readonly chatId: string | undefined;
  readonly text: string | undefined;
};

function made(message: JsonObject, { id, chatId, text, ...rest }: Made): ChatMessage | undefined {
  const date = timeOfText(message['timestamp']);
  const files = objectsIn(message['attachments']).map(attachment);
  const said = [...files, ...(text === undefined ? [] : [text])].join('\n');
  if (id === undefined || chatId === undefined || date === undefined || said === '') return undefined;
  return { id, chatId, date, text: said, ...rest };
}

const kinds: Readonly<Record<string, string>> = {
  img: 'picture',
  video: 'video',
  audio: 'voice message',
  file: 'file',
  linkedin_post: 'post',
  video_meeting: 'meeting',
};

function attachment(told: JsonObject): string {
  const type = textIn(told['type']) ?? textIn(told['attachment_type']) ?? '';
  return attached(kinds[type] ?? 'attachment', textIn(told['file_name']) ?? textIn(told['attachment_name']));
}

function personOf(name: string | undefined, profile: string | undefined, id: string | undefined): string {
  return written(name, profile ?? (name === undefined && id !== undefined ? `linkedin:${id}` : undefined));
}

/** Told as numbers in some places, and as they are in others. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}
