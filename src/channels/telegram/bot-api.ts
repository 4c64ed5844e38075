/** The methods of a bot of Telegram. */
import type { Json, JsonObject } from '../../lib/json.ts';
import { ChannelFailure } from '../channel-failure.ts';
import type { Ways } from '../provider.ts';
import { askProvider, baseUrl, refusal, type Ask } from '../messengers/ask-provider.ts';
import { objectIn, textIn } from '../messengers/told.ts';
import type { TelegramSettings } from './telegram-settings.ts';

/** The updates that have messages; others are not asked for. */
export const wantedUpdates = ['message', 'channel_post', 'business_message'];

/** Somebody else has what was asked for: another process, or a hook. */
export class BotConflict extends ChannelFailure {}

/** The request for a method. */
export function botRequest(
  { base_url: base, bot_token: token }: TelegramSettings,
  method: string,
  given: JsonObject,
): Ask {
  const bot = encodeURIComponent(token).replaceAll('%3A', ':');
  return {
    url: `${baseUrl(base, 'https://api.telegram.org')}/bot${bot}/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  };
}

/** What the method gives. Throws ChannelFailure, a BotConflict where somebody else is at it. */
export async function askBot(ways: Ways, settings: TelegramSettings, method: string, given: JsonObject): Promise<Json> {
  const said = await askProvider(ways, botRequest(settings, method, given));
  const { ok, result = null, error_code: code, description, parameters } = said.body;
  if (ok === true) return result;
  const status = Number(textIn(code) ?? said.status);
  const seconds = Number(textIn(objectIn(parameters)['retry_after']) ?? 0);
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : said.retryAfterMs;
  // A token that is none leads to a path that there is not.
  const isOfCredentials = [401, 403, 404].includes(status);
  const failure = refusal(`Telegram refuses ${method}`, textIn(description), { status, retryAfterMs }, isOfCredentials);
  throw status === 409 ? new BotConflict(failure.message) : failure;
}
