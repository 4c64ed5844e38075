/** The interface of the provider that has LinkedIn among others: pages of chats and messages, and answers. */
import type { Call } from '../../access/call.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ChannelFailure } from '../channel-failure.ts';
import { askProvider, baseUrl, refusal, type Said } from '../messengers/ask-provider.ts';
import type { OutgoingText } from '../messengers/messenger-sender.ts';
import { objectsIn, textIn } from '../messengers/told.ts';
import type { LinkedinSettings } from './linkedin-settings.ts';

/** A path, and what of the list is wanted. */
export interface Wanted {
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** The answer, whatever its status is. Throws ChannelFailure where there is none. */
export function askUnified(call: Call, settings: LinkedinSettings, { path, query = {} }: Wanted): Promise<Said> {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return askProvider(call, { url: urlOf(settings, path) + text, headers: headersOf(settings) });
}

/** A list, page by page. Throws ChannelFailure. */
export async function* pagesOf(
  call: Call,
  settings: LinkedinSettings,
  { path, query }: Wanted,
): AsyncGenerator<readonly JsonObject[]> {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const said = await askUnified(call, settings, { path, query: { ...query, cursor } });
    if (said.status !== 200) throw refused(`The provider does not give ${path.join('/')}`, said);
    yield objectsIn(said.body['items']);
    const next = textIn(said.body['cursor']);
    cursor = next === cursor ? undefined : next;
  }
}

/** Sends an answer into a chat, and gives its id. Throws ChannelFailure where it did not go out; another Error says that nobody knows. */
export async function sendAnswer(
  call: Call,
  settings: LinkedinSettings,
  { chatId, text }: OutgoingText,
): Promise<string | undefined> {
  const form = new FormData();
  form.set('text', text);
  const packed = new Response(form);
  const said = await askProvider(call, {
    url: urlOf(settings, ['chats', chatId, 'messages']),
    method: 'POST',
    headers: { ...headersOf(settings), 'content-type': packed.headers.get('content-type') ?? '' },
    body: new Uint8Array(await packed.arrayBuffer()),
    isSend: true,
  });
  if (said.status === 200 || said.status === 201) return textIn(said.body['message_id']);
  // Where it says itself what went wrong, nothing went out, unless it has waited for LinkedIn in vain.
  if (said.status === 504 || (said.status >= 500 && said.body['type'] === undefined))
    throw new Error(`The provider answered with status ${said.status}`);
  throw refused('The provider does not take the message', said);
}

function refused(what: string, said: Said): ChannelFailure {
  const { title, detail, message } = said.body;
  const words = [title, detail, message].flatMap((part) => textIn(part) ?? []);
  return refusal(what, words.join(': '), said, [401, 403, 404].includes(said.status));
}

function urlOf({ base_url: base }: LinkedinSettings, path: readonly string[]): string {
  const below = baseUrl(base).replace(/\/api\/v1$/, '');
  return `${below}/api/v1/${path.map(encodeURIComponent).join('/')}`;
}

function headersOf({ api_key: key }: LinkedinSettings): Record<string, string> {
  return { 'x-api-key': key, accept: 'application/json' };
}
