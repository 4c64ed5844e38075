/** Requests to the WhatsApp Cloud API, for one number. */
import type { Call } from '../../access/call.ts';
import { dayMs } from '../../lib/durations.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ChannelFailure } from '../channel-failure.ts';
import { askProvider, baseUrl, refusal, type ProviderResponse } from '../messengers/ask-provider.ts';
import type { OutgoingText } from '../messengers/messenger-sender.ts';
import { objectIn, objectsIn, textIn } from '../messengers/json-values.ts';
import type { WhatsappSettings } from './whatsapp-settings.ts';

/** The access token has expired or was revoked. */
const tokenCodes = ['0', '190'];
/** The recipient has not written for 24 hours: only templates are accepted. */
const windowCode = '131047';

const windowMs = dayMs;

/** Warns before a send that WhatsApp will probably refuse; only a warning, since messages of the recipient may be missing here. */
export function doubtOfWindow(now: number, heardAt: number | undefined): string | undefined {
  if (heardAt !== undefined && now - heardAt < windowMs) return undefined;
  const last =
    heardAt === undefined ? 'who has not written yet' : `who wrote last at ${new Date(heardAt).toISOString()}`;
  return `WhatsApp accepts texts only within 24 hours of the last message of the person, ${last}: it will probably refuse this one.`;
}

/** Tests the token by reading the number. Throws ChannelFailure. */
export async function askForNumber(call: Call, settings: WhatsappSettings): Promise<void> {
  const response = await askProvider(call, {
    url: `${numberUrl(settings)}?fields=display_phone_number`,
    headers: headersOf(settings),
  });
  if (response.status !== 200) throw refused('WhatsApp refuses access to the number', response, settings);
}

/** Sends a text into a chat; returns the message's id. Throws as `MessageSender.send` does. */
export async function sendText(
  call: Call,
  settings: WhatsappSettings,
  { chatId: to, text, sentAs }: OutgoingText,
): Promise<string | undefined> {
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: /^\d+$/.test(to) ? 'individual' : 'group',
    to,
    type: 'text',
    text: { preview_url: false, body: text },
    // Repeated in delivery reports of the message.
    biz_opaque_callback_data: sentAs,
  };
  const response = await askProvider(call, {
    url: `${numberUrl(settings)}/messages`,
    method: 'POST',
    headers: { ...headersOf(settings), 'content-type': 'application/json' },
    body: JSON.stringify(message),
    isSend: true,
  });
  if (response.status === 200) return textIn(objectsIn(response.body['messages'])[0]?.['id']);
  if (response.status >= 500 && response.body['error'] === undefined)
    throw new Error(`WhatsApp answered with status ${response.status}`);
  throw refused('WhatsApp refuses the message', response, settings);
}

/** The text of a Graph API error; undefined without one. */
export function wordsOf(error: JsonObject): string | undefined {
  const details = textIn(objectIn(error['error_data'])['details']);
  const title = textIn(error['message']) ?? textIn(error['title']);
  const words = [title, details].filter((text, at, all) => text !== undefined && all.indexOf(text) === at).join(': ');
  if (textIn(error['code']) !== windowCode) return words === '' ? undefined : words;
  return `the person has not written for 24 hours, so WhatsApp only accepts templates (${words})`;
}

function refused(what: string, response: ProviderResponse, { access_token: token }: WhatsappSettings): ChannelFailure {
  const error = objectIn(response.body['error']);
  // Meta repeats a malformed token in its message.
  const words = wordsOf(error)?.replaceAll(token, '…');
  const isOfCredentials = response.status === 401 || tokenCodes.includes(textIn(error['code']) ?? '');
  return refusal(what, words, response, isOfCredentials);
}

function numberUrl({ base_url: base, phone_number_id: id }: WhatsappSettings): string {
  return `${baseUrl(base, 'https://graph.facebook.com/v23.0')}/${encodeURIComponent(id)}`;
}

function headersOf({ access_token: token }: WhatsappSettings): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
