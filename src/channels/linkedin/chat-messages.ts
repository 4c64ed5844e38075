/** Reads LinkedIn messages from lists and webhooks. */
import type { JsonObject } from '../../lib/json.ts';
import { attached, mostParticipants, written, type ChatMessage } from '../messengers/take-messages.ts';
import { objectIn, objectsIn, textIn, timeOfText } from '../messengers/json-values.ts';
import type { LinkedinSettings } from './linkedin-settings.ts';

/** A chat without its messages. */
export interface Chat {
  readonly id: string;
  readonly title: string | undefined;
  /** The attendees as participants, by each id that messages may use for them. */
  readonly people: ReadonlyMap<string, string>;
  /** The attendees except the account itself, as participants. */
  readonly others: readonly string[];
}

/** Reads a chat from the lists of chats and of its attendees. */
export function chatIn(chat: JsonObject, attendees: readonly JsonObject[]): Chat {
  const people = attendees.slice(0, mostParticipants).map((attendee) => ({
    ids: [textIn(attendee['id']), textIn(attendee['provider_id'])].filter((id) => id !== undefined),
    isSelf: isTrue(attendee['is_self']),
    text: personOf(textIn(attendee['name']), textIn(attendee['profile_url']), textIn(attendee['provider_id'])),
  }));
  const name = textIn(chat['name']);
  const others = people.filter(({ isSelf }) => !isSelf).map(({ text }) => text);
  return {
    id: textIn(chat['id']) ?? '',
    title: textIn(chat['subject']) ?? (textIn(chat['type']) === '0' ? undefined : name),
    people: new Map(people.flatMap(({ ids, text }) => ids.map((id) => [id, text] as const))),
    others: others.length > 0 || name === undefined ? others : [written(name, undefined)],
  };
}

/** Reads a listed message; undefined for events, and for hidden and deleted messages. */
export function messageIn(message: JsonObject, chat: Chat, settings: LinkedinSettings): ChatMessage | undefined {
  if (['is_event', 'hidden', 'deleted'].some((name) => isTrue(message[name]))) return undefined;
  const isOwn = isTrue(message['is_sender']);
  const known = [message['sender_attendee_id'], message['sender_id']].flatMap(
    (id) => chat.people.get(textIn(id) ?? '') ?? [],
  );
  const sender = known[0] ?? chat.others[0] ?? personOf(undefined, undefined, textIn(message['sender_id']));
  return chatMessage(message, {
    id: textIn(message['id']),
    chatId: chat.id,
    title: chat.title ?? textIn(message['subject']),
    isOwn,
    text: textIn(message['text']),
    participants: isOwn ? [settings.account_email, ...chat.others] : [sender, settings.account_email, ...chat.others],
  });
}

/** Reads the message of a webhook; undefined if it has none. */
export function webhookMessageIn(body: JsonObject, settings: LinkedinSettings): ChatMessage | undefined {
  if (isTrue(body['is_event'])) return undefined;
  const sender = objectIn(body['sender']);
  const own = textIn(objectIn(body['account_info'])['user_id']);
  const isSelf = (person: JsonObject) => own !== undefined && textIn(person['attendee_provider_id']) === own;
  const isOwn = isTrue(body['is_sender']) || isSelf(sender);
  const participantOf = (person: JsonObject) =>
    personOf(
      textIn(person['attendee_name']),
      textIn(person['attendee_profile_url']),
      textIn(person['attendee_provider_id']),
    );
  const others = objectsIn(body['attendees'])
    .slice(0, mostParticipants)
    .filter((person) => !isSelf(person))
    .map(participantOf);
  return chatMessage(body, {
    id: textIn(body['message_id']),
    chatId: textIn(body['chat_id']),
    title: textIn(body['subject']),
    isOwn,
    text: textIn(body['message']),
    participants: isOwn
      ? [settings.account_email, ...others]
      : [participantOf(sender), settings.account_email, ...others],
  });
}

type MessageFields = Pick<ChatMessage, 'title' | 'isOwn' | 'participants'> & {
  readonly id: string | undefined;
  readonly chatId: string | undefined;
  readonly text: string | undefined;
};

function chatMessage(message: JsonObject, { id, chatId, text, ...rest }: MessageFields): ChatMessage | undefined {
  const date = timeOfText(message['timestamp']);
  const files = objectsIn(message['attachments']).map(attachment);
  const contents = [...files, ...(text === undefined ? [] : [text])].join('\n');
  if (id === undefined || chatId === undefined || date === undefined || contents === '') return undefined;
  return { id, chatId, date, text: contents, ...rest };
}

const kinds: Readonly<Record<string, string>> = {
  img: 'picture',
  video: 'video',
  audio: 'voice message',
  file: 'file',
  linkedin_post: 'post',
  video_meeting: 'meeting',
};

function attachment(file: JsonObject): string {
  const type = textIn(file['type']) ?? textIn(file['attachment_type']) ?? '';
  return attached(kinds[type] ?? 'attachment', textIn(file['file_name']) ?? textIn(file['attachment_name']));
}

function personOf(name: string | undefined, profile: string | undefined, id: string | undefined): string {
  return written(name, profile ?? (name === undefined && id !== undefined ? `linkedin:${id}` : undefined));
}

/** The provider writes booleans as numbers in some places. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}
