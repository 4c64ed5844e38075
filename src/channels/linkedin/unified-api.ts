/** Requests to the API of Unipile, the provider through which LinkedIn is reached. */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ChannelFailure } from '../channel-failure.ts';
import { askProvider, baseUrl, refusal, type ProviderResponse } from '../messengers/ask-provider.ts';
import type { OutgoingText } from '../messengers/messenger-sender.ts';
import { objectsIn, textIn } from '../messengers/json-values.ts';
import type { LinkedinSettings } from './linkedin-settings.ts';

/** A path below `/api/v1`, and its query. */
export interface Wanted {
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** The response, whatever its status. Throws ChannelFailure without one. */
export function askUnified(
  call: Call,
  settings: LinkedinSettings,
  { path, query = {} }: Wanted,
): Promise<ProviderResponse> {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  return askProvider(call, { url: urlOf(settings, path) + text, headers: headersOf(settings) });
}

/** The pages of a list. Throws ChannelFailure. */
export async function* pagesOf(
  call: Call,
  settings: LinkedinSettings,
  { path, query }: Wanted,
): AsyncGenerator<readonly JsonObject[]> {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const response = await askUnified(call, settings, { path, query: { ...query, cursor } });
    if (response.status !== 200) throw refused(`The provider refuses to list ${path.join('/')}`, response);
    yield objectsIn(response.body['items']);
    const next = textIn(response.body['cursor']);
    cursor = next === cursor ? undefined : next;
  }
}

/** Sends a text into a chat; returns the message's id. Throws as `MessageSender.send` does. */
export async function sendAnswer(
  call: Call,
  settings: LinkedinSettings,
  { chatId, text }: OutgoingText,
): Promise<string | undefined> {
  const form = new FormData();
  form.set('text', text);
  const multipart = new Response(form);
  const response = await askProvider(call, {
    url: urlOf(settings, ['chats', chatId, 'messages']),
    method: 'POST',
    headers: { ...headersOf(settings), 'content-type': multipart.headers.get('content-type') ?? '' },
    body: new Uint8Array(await multipart.arrayBuffer()),
    isSend: true,
  });
  if (response.status === 200 || response.status === 201) return textIn(response.body['message_id']);
  // An error that the provider explains means that nothing was sent, except a timeout at LinkedIn (504).
  if (response.status === 504 || (response.status >= 500 && response.body['type'] === undefined))
    throw new Error(`The provider answered with status ${response.status}`);
  throw refused('The provider refuses the message', response);
}

function refused(what: string, response: ProviderResponse): ChannelFailure {
  const { title, detail, message } = response.body;
  const words = [title, detail, message].flatMap((part) => textIn(part) ?? []);
  return refusal(what, words.join(': '), response, [401, 403, 404].includes(response.status));
}

function urlOf({ base_url: base }: LinkedinSettings, path: readonly string[]): string {
  const below = baseUrl(base).replace(/\/api\/v1$/, '');
  return `${below}/api/v1/${path.map(encodeURIComponent).join('/')}`;
}

function headersOf({ api_key: key }: LinkedinSettings): Record<string, string> {
  return { 'x-api-key': key, accept: 'application/json' };
}
