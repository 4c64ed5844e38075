/** What WhatsApp tells by its hook: messages of people, own ones that were written elsewhere, what was before, and how far own ones have come. */
import type { Json, JsonObject } from '../../lib/json.ts';
import { deliveryStateIn, type DeliveryState } from '../messengers/deliveries.ts';
import { attached, written, type ChatMessage } from '../messengers/take-messages.ts';
import { objectIn, objectsIn, textIn, timeOfSeconds } from '../messengers/told.ts';
import { wordsOf } from './cloud-api.ts';
import type { WhatsappSettings } from './whatsapp-settings.ts';

export interface ToldChanges {
  readonly messages: readonly ChatMessage[];
  readonly states: readonly DeliveryState[];
}

/** What is told of the account's number. An app has one hook for all of its numbers: others are passed over. */
export function changesIn(told: Json, settings: WhatsappSettings): ToldChanges {
  const values = objectsIn(objectIn(told)['entry'])
    .flatMap((entry) => objectsIn(entry['changes']))
    .map((change) => objectIn(change['value']))
    .filter((value) => textIn(objectIn(value['metadata'])['phone_number_id']) === settings.phone_number_id);
  return {
    messages: values.flatMap((value) => messagesIn(value, settings)),
    states: values.flatMap((value) => objectsIn(value['statuses']).flatMap(stateIn)),
  };
}

function messagesIn(value: JsonObject, settings: WhatsappSettings): readonly ChatMessage[] {
  const names = new Map(
    objectsIn(value['contacts']).map((contact) => [
      textIn(contact['wa_id']),
      textIn(objectIn(contact['profile'])['name']),
    ]),
  );
  const read = (message: JsonObject, chatId: string | undefined, isOwn: boolean) =>
    messageOf(message, { chatId, isOwn, name: names.get(chatId) }, settings);
  const came = objectsIn(value['messages']).flatMap((one) => read(one, textIn(one['from']), false));
  const echoes = objectsIn(value['message_echoes']).flatMap((one) => read(one, textIn(one['to']), true));
  const before = objectsIn(value['history']).flatMap((part) =>
    objectsIn(part['threads']).flatMap((thread) => {
      const chatId = textIn(thread['id']);
      return objectsIn(thread['messages']).flatMap((one) => read(one, chatId, textIn(one['from']) !== chatId));
    }),
  );
  return [...came, ...echoes, ...before];
}

interface Place {
  /** Whom the account talks with. */
  readonly chatId: string | undefined;
  readonly isOwn: boolean;
  readonly name: string | undefined;
}

function messageOf(message: JsonObject, { chatId, isOwn, name }: Place, settings: WhatsappSettings): ChatMessage[] {
  const id = textIn(message['id']);
  const date = timeOfSeconds(message['timestamp']);
  const text = textOf(message);
  if (chatId === undefined || id === undefined || date === undefined || text === '') return [];
  const other = written(name, `+${chatId}`);
  const own = settings.account_email;
  const participants = isOwn ? [own, other] : [other, own];
  return [{ id, chatId: textIn(message['group_id']) ?? chatId, isOwn, date, participants, text }];
}

function textOf(message: JsonObject): string {
  const type = textIn(message['type']) ?? '';
  const part = objectIn(message[type]);
  switch (type) {
    case 'text':
      return textIn(part['body']) ?? '';
    case 'button':
      return textIn(part['text']) ?? '';
    case 'interactive': {
      const reply = objectIn(part[textIn(part['type']) ?? '']);
      return textIn(reply['title']) ?? textIn(reply['body']) ?? '';
    }
    case 'reaction':
      return part['emoji'] === undefined ? '' : attached('reaction', textIn(part['emoji']));
    case 'location': {
      const where = [part['name'], part['address'], part['latitude'], part['longitude']];
      return attached('place', where.flatMap((value) => textIn(value) ?? []).join(', '));
    }
    case 'contacts':
      return objectsIn(message['contacts']).map(contactText).join('\n');
    case 'system':
      return textIn(part['body']) ?? '';
    case 'unsupported':
    case 'errors':
      return attached('message of a kind that WhatsApp does not pass on');
    default: {
      const caption = textIn(part['caption']);
      const what = attached(type === 'document' ? 'file' : type, textIn(part['filename']));
      return caption === undefined ? what : `${what}\n${caption}`;
    }
  }
}

function contactText(contact: JsonObject): string {
  const name = textIn(objectIn(contact['name'])['formatted_name']);
  const numbers = objectsIn(contact['phones']).flatMap(({ phone }) => textIn(phone) ?? []);
  return attached('contact', [name, ...numbers].filter((part) => part !== undefined).join(' '));
}

function stateIn(status: JsonObject): DeliveryState[] {
  const id = textIn(status['id']);
  const told = textIn(status['status']);
  // A voice message is played, others are read.
  const state = deliveryStateIn(told === 'played' ? 'read' : told);
  if (id === undefined || state === undefined) return [];
  const [error] = objectsIn(status['errors']);
  return [{ id, state, sentAs: textIn(status['biz_opaque_callback_data']), reason: error && wordsOf(error) }];
}
