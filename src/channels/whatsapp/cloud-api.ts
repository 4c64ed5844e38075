/** The Cloud API of WhatsApp, for one number. */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ChannelFailure } from '../channel-failure.ts';
import { askProvider, baseUrl, refusal, type Said } from '../messengers/ask-provider.ts';
import type { OutgoingText } from '../messengers/messenger-sender.ts';
import { objectIn, objectsIn, textIn } from '../messengers/told.ts';
import type { WhatsappSettings } from './whatsapp-settings.ts';

/** The access token is over or was taken back. */
const tokenCodes = ['0', '190'];
/** Whoever has not written for a day is reached by templates alone. */
const windowCode = '131047';

const windowMs = 86_400_000;

/** Says before it is sent what WhatsApp says after it: but some of what the person wrote may not have come. */
export function doubtOfWindow(now: number, heardAt: number | undefined): string | undefined {
  if (heardAt !== undefined && now - heardAt < windowMs) return undefined;
  const last = heardAt === undefined ? 'has not written yet' : `wrote last at ${new Date(heardAt).toISOString()}`;
  return `WhatsApp takes texts within 24 hours of what the person wrote, who ${last}: it will hardly take this one.`;
}

/** Asks for the number itself, which says whether the token is good for it. Throws ChannelFailure. */
export async function askForNumber(call: Call, settings: WhatsappSettings): Promise<void> {
  const said = await askProvider(call, {
    url: `${numberUrl(settings)}?fields=display_phone_number`,
    headers: headersOf(settings),
  });
  if (said.status !== 200) throw refused('WhatsApp does not give the number', said, settings);
}

/** Sends a text into a chat, and gives its id. Throws ChannelFailure where it did not go out; another Error says that nobody knows. */
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
    // What is told of the message later has this again.
    biz_opaque_callback_data: sentAs,
  };
  const said = await askProvider(call, {
    url: `${numberUrl(settings)}/messages`,
    method: 'POST',
    headers: { ...headersOf(settings), 'content-type': 'application/json' },
    body: JSON.stringify(message),
    isSend: true,
  });
  if (said.status === 200) return textIn(objectsIn(said.body['messages'])[0]?.['id']);
  if (said.status >= 500 && said.body['error'] === undefined)
    throw new Error(`WhatsApp answered with status ${said.status}`);
  throw refused('WhatsApp does not take the message', said, settings);
}

/** What an error of the Graph API says, in its own words. */
export function wordsOf(error: JsonObject): string | undefined {
  const details = textIn(objectIn(error['error_data'])['details']);
  const said = textIn(error['message']) ?? textIn(error['title']);
  const words = [said, details].filter((text, at, all) => text !== undefined && all.indexOf(text) === at).join(': ');
  if (textIn(error['code']) !== windowCode) return words === '' ? undefined : words;
  return `the person has not written for 24 hours, and can be reached by templates alone (${words})`;
}

function refused(what: string, said: Said, { access_token: token }: WhatsappSettings): ChannelFailure {
  const error = objectIn(said.body['error']);
  // A token that is malformed is repeated.
  const words = wordsOf(error)?.replaceAll(token, '…');
  const isOfCredentials = said.status === 401 || tokenCodes.includes(textIn(error['code']) ?? '');
  return refusal(what, words, said, isOfCredentials);
}

function numberUrl({ base_url: base, phone_number_id: id }: WhatsappSettings): string {
  return `${baseUrl(base, 'https://graph.facebook.com/v23.0')}/${encodeURIComponent(id)}`;
}

function headersOf({ access_token: token }: WhatsappSettings): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
