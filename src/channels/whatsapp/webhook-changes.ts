/** Reads WhatsApp webhooks: messages received, own messages sent on the phone, history, and delivery states. */
import type { Json, JsonObject } from '../../lib/json.ts';
import { deliveryStateIn, type DeliveryState } from '../messengers/deliveries.ts';
import { attached, written, type ChatMessage } from '../messengers/take-messages.ts';
import { objectIn, objectsIn, textIn, timeOfSeconds } from '../messengers/json-values.ts';
import { wordsOf } from './cloud-api.ts';
import type { WhatsappSettings } from './whatsapp-settings.ts';

/** The contents of a webhook. */
export interface WebhookChanges {
  readonly messages: readonly ChatMessage[];
  readonly states: readonly DeliveryState[];
}

/** The changes for the account's number. An app has one webhook for all its numbers; the others are ignored. */
export function changesIn(body: Json, settings: WhatsappSettings): WebhookChanges {
  const values = objectsIn(objectIn(body)['entry'])
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
  const received = objectsIn(value['messages']).flatMap((one) => read(one, textIn(one['from']), false));
  const echoes = objectsIn(value['message_echoes']).flatMap((one) => read(one, textIn(one['to']), true));
  const history = objectsIn(value['history']).flatMap((part) =>
    objectsIn(part['threads']).flatMap((thread) => {
      const chatId = textIn(thread['id']);
      return objectsIn(thread['messages']).flatMap((one) => read(one, chatId, textIn(one['from']) !== chatId));
    }),
  );
  return [...received, ...echoes, ...history];
}

interface ChatRef {
  /** The other person's number. */
  readonly chatId: string | undefined;
  readonly isOwn: boolean;
  readonly name: string | undefined;
}

function messageOf(message: JsonObject, { chatId, isOwn, name }: ChatRef, settings: WhatsappSettings): ChatMessage[] {
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
  const name = textIn(status['status']);
  // Voice messages are `played` instead of `read`.
  const state = deliveryStateIn(name === 'played' ? 'read' : name);
  if (id === undefined || state === undefined) return [];
  const [error] = objectsIn(status['errors']);
  return [{ id, state, sentAs: textIn(status['biz_opaque_callback_data']), reason: error && wordsOf(error) }];
}
