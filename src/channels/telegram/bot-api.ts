/** Requests to the Telegram Bot API. */
import type { Json, JsonObject } from '../../lib/json.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { OutgoingAccess } from '../provider.ts';
import { askProvider, baseUrl, refusal, type ProviderRequest } from '../messengers/ask-provider.ts';
import { objectIn, textIn } from '../messengers/json-values.ts';
import type { TelegramSettings } from './telegram-settings.ts';

/** The kinds of updates with messages; others are not requested. */
export const wantedUpdates = ['message', 'channel_post', 'business_message'];

/** Updates cannot be fetched, since another process fetches them or a webhook is set. */
export class BotConflict extends ChannelFailure {}

/** The request for a method. */
export function botRequest(
  { base_url: base, bot_token: token }: TelegramSettings,
  method: string,
  input: JsonObject,
): ProviderRequest {
  const bot = encodeURIComponent(token).replaceAll('%3A', ':');
  return {
    url: `${baseUrl(base, 'https://api.telegram.org')}/bot${bot}/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  };
}

/** Calls the method; returns its result. Throws ChannelFailure; BotConflict for status 409. */
export async function askBot(
  access: OutgoingAccess,
  settings: TelegramSettings,
  method: string,
  input: JsonObject,
): Promise<Json> {
  const response = await askProvider(access, botRequest(settings, method, input));
  const { ok, result = null, error_code: code, description, parameters } = response.body;
  if (ok === true) return result;
  const status = Number(textIn(code) ?? response.status);
  const seconds = Number(textIn(objectIn(parameters)['retry_after']) ?? 0);
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : response.retryAfterMs;
  // The token is part of the path, so a malformed one is not found (404).
  const isOfCredentials = [401, 403, 404].includes(status);
  const failure = refusal(`Telegram refuses ${method}`, textIn(description), { status, retryAfterMs }, isOfCredentials);
  throw status === 409 ? new BotConflict(failure.message) : failure;
}
