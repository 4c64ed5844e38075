/** Bots of Telegram as accounts: what people write to them comes by a hook, or is fetched. [contract: Accounts, Hooks] */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { isSameSecret } from '../../lib/same-secret.ts';
import { hookPath } from '../../lib/rest-prefix.ts';
import type { AccountConnector, Rhythm } from '../provider.ts';
import type { Mailbox } from '../mailbox.ts';
import { objectIn } from '../messengers/told.ts';
import { askBot, wantedUpdates } from './bot-api.ts';
import { awaitUpdates, fetchUpdates, takeUpdates } from './fetch-updates.ts';
import { TelegramAccount, type TelegramSettings } from './telegram-settings.ts';

/** By the Bot API. Nothing is sent by it. */
export const telegramConnector: AccountConnector<TelegramSettings> = {
  schema: TelegramAccount,
  channelsOf: () => ['telegram'],
  async tryOut(call, settings) {
    if (!/^[\w-]+$/.test(settings.secret_token))
      throw errors.validation('secret_token may have letters, digits, _ and - alone: Telegram sends no others');
    await askBot(call, settings, 'getMe', {});
  },
  bringIn,
  async leave(ways, settings, hookUrl) {
    // Another service may have the bot by now, such as the one that this is a copy of.
    const { url } = objectIn(await askBot(ways, settings, 'getWebhookInfo', {}));
    if (url === hookUrl) await askBot(ways, settings, 'deleteWebhook', { drop_pending_updates: false });
  },
  hook: {
    isGenuine: ({ secret_token: wanted }, { headers }) =>
      isSameSecret(String(headers['x-telegram-bot-api-secret-token'] ?? ''), wanted),
    receive: (call, account, settings, told) => takeUpdates(call, account, settings, [objectIn(told)]),
  },
};

async function bringIn(
  call: Call,
  account: Mailbox,
  settings: TelegramSettings,
  rhythm: Rhythm | undefined,
): Promise<void> {
  const id = account.integrationId;
  const key = hash('sha256', JSON.stringify(settings), 'base64');
  // Two requests for updates at once: the first would be refused.
  rhythm?.watch.take(id, key)?.end();
  if (rhythm?.publicUrl?.startsWith('https:')) {
    // Again at each look: whoever has set another one meanwhile is corrected, and else nothing changes.
    await askBot(call, settings, 'setWebhook', {
      url: `${rhythm.publicUrl}${hookPath('telegram', id)}`,
      secret_token: settings.secret_token,
      allowed_updates: wantedUpdates,
    });
    return;
  }
  const next = await fetchUpdates(call, account, settings, rhythm !== undefined);
  if (rhythm && !rhythm.watch.isFull()) rhythm.watch.leave(id, key, awaitUpdates(call, settings, next, rhythm.onNews));
}
