/** Connects and syncs Telegram bots, whose messages arrive by webhook or are fetched. [contract: Accounts, Hooks] */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { isSameSecret } from '../../lib/same-secret.ts';
import { hookPath } from '../../lib/url-paths.ts';
import type { AccountConnector, Rhythm } from '../provider.ts';
import type { Mailbox } from '../mailbox.ts';
import { objectIn } from '../messengers/json-values.ts';
import { askBot, wantedUpdates } from './bot-api.ts';
import { awaitUpdates, fetchUpdates, takeUpdates } from './fetch-updates.ts';
import { TelegramAccount, type TelegramSettings } from './telegram-settings.ts';

/** The connector for the Bot API. Telegram has no sender: Kith sends nothing there. */
export const telegramConnector: AccountConnector<TelegramSettings> = {
  schema: TelegramAccount,
  channelsOf: () => ['telegram'],
  async tryOut(call, settings) {
    if (!/^[\w-]+$/.test(settings.secret_token))
      throw errors.validation('secret_token may only have letters, digits, _ and -: Telegram accepts no others');
    await askBot(call, settings, 'getMe', {});
  },
  bringIn,
  async leave(access, settings, hookUrl) {
    // Another service may use the bot by now, such as the original of this copy.
    const { url } = objectIn(await askBot(access, settings, 'getWebhookInfo', {}));
    if (url === hookUrl) await askBot(access, settings, 'deleteWebhook', { drop_pending_updates: false });
  },
  hook: {
    isGenuine: ({ secret_token: wanted }, { headers }) =>
      isSameSecret(String(headers['x-telegram-bot-api-secret-token'] ?? ''), wanted),
    receive: (call, account, settings, body) => takeUpdates(call, account, settings, [objectIn(body)]),
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
  // Telegram refuses concurrent requests for updates.
  rhythm?.watch.take(id, key)?.end();
  if (rhythm?.publicUrl?.startsWith('https:')) {
    // At each sync, in case the webhook was changed elsewhere; otherwise this has no effect.
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
