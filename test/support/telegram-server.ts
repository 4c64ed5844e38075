/** Bots of Telegram for tests: what the Bot API says of updates, hooks and refusals. */
import { startJsonServer, type Answered, type Asked } from './json-server.ts';

export interface TelegramServer {
  readonly url: string;
  /** A document for `kith account add`. */
  account(name: string): Record<string, string>;
  /** Has the bot receive a message; it is `fields` that say what it has. */
  write(name: string, fields?: object, kind?: string): object;
  /** Updates that the bot has not got, or not said to have. */
  waiting(name: string): number;
  /** Where the bot is called in, if anywhere, and by which secret. */
  hook(name: string): { readonly url?: string; readonly secret_token?: string };
  /** Sets another hook, as another service that has the bot does. */
  hookTo(name: string, url: string): void;
  /** How often its hook was asked to be deleted. */
  deletions(name: string): number;
  /** From now on, what is asked about its hook is not answered. */
  silence(name: string): void;
  /** Whether somebody waits for updates. */
  isAwaited(name: string): boolean;
  revoke(name: string): void;
  /** The next request is one too many. */
  busyOnce(seconds: number): void;
  stop(): Promise<void>;
}

interface Bot {
  updates: { readonly update_id: number }[];
  hook: { readonly url?: string; readonly secret_token?: string };
  waiting: (() => void)[];
  isRevoked: boolean;
  isSilent: boolean;
  deletions: number;
}

export async function startTelegramServer(): Promise<TelegramServer> {
  const bots = new Map<string, Bot>();
  let busySeconds = 0;
  let number = 100;

  const numberOf = (name: string) => 1_000 + [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const tokenOf = (name: string) => `${numberOf(name)}:${name}-token`;
  const botOf = (name: string): Bot => {
    const token = tokenOf(name);
    const bot = bots.get(token) ?? {
      updates: [],
      hook: {},
      waiting: [],
      isRevoked: false,
      isSilent: false,
      deletions: 0,
    };
    bots.set(token, bot);
    return bot;
  };

  async function answer({ url, body, left }: Asked): Promise<Answered> {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(url.pathname) ?? [];
    const bot = bots.get(decodeURIComponent(token));
    if (!bot || bot.isRevoked) return refused(401, 'Unauthorized');
    if (busySeconds > 0) {
      const seconds = busySeconds;
      busySeconds = 0;
      return refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    }
    const given = JSON.parse(body.toString() || '{}');
    if (bot.isSilent && method !== 'getUpdates')
      await new Promise((resolve) => left.addEventListener('abort', resolve));
    switch (method) {
      case 'getMe':
        return results({ id: Number(token.split(':', 1)[0]), is_bot: true, first_name: 'Bot' });
      case 'setWebhook':
        bot.hook = { url: given.url, secret_token: given.secret_token };
        return results(true);
      case 'getWebhookInfo':
        return results({ url: bot.hook.url ?? '', has_custom_certificate: false, pending_update_count: 0 });
      case 'deleteWebhook':
        bot.hook = {};
        bot.deletions++;
        return results(true);
      case 'getUpdates':
        return updates(bot, given, left);
      default:
        return refused(404, 'Not Found');
    }
  }

  async function updates(bot: Bot, { offset = 0, timeout = 0 }: Record<string, number>, left: AbortSignal) {
    if (bot.hook.url)
      return refused(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first");
    bot.waiting.splice(0).forEach((end) => end());
    bot.updates = bot.updates.filter(({ update_id: id }) => id >= offset);
    if (bot.updates.length === 0 && timeout > 0) {
      await new Promise<void>((resolve) => {
        bot.waiting.push(resolve);
        left.addEventListener('abort', () => {
          bot.waiting = bot.waiting.filter((end) => end !== resolve);
          resolve();
        });
      });
    }
    return results(bot.updates.slice(0, 100));
  }

  const server = await startJsonServer(answer);
  return {
    url: server.url,
    account(name) {
      botOf(name);
      return {
        provider: 'telegram',
        account_email: `@${name}_bot`,
        base_url: server.url,
        bot_token: tokenOf(name),
        secret_token: `${name}-secret`,
      };
    },
    write(name, fields = {}, kind = 'message') {
      const bot = botOf(name);
      const id = ++number;
      const sender = { id: 123_456_789, is_bot: false, first_name: 'Bob', last_name: 'Builder', username: 'bob' };
      const chat = { id: sender.id, first_name: 'Bob', last_name: 'Builder', username: 'bob', type: 'private' };
      const message = { message_id: id, from: sender, chat, date: 1_790_000_000 + id, ...fields };
      const update = { update_id: 500_000 + id, [kind]: message };
      if (bot.hook.url === undefined) bot.updates.push(update);
      bot.waiting.splice(0).forEach((end) => end());
      return update;
    },
    waiting: (name) => botOf(name).updates.length,
    hook: (name) => botOf(name).hook,
    hookTo: (name, url) => void (botOf(name).hook = { url }),
    deletions: (name) => botOf(name).deletions,
    silence: (name) => void (botOf(name).isSilent = true),
    isAwaited: (name) => botOf(name).waiting.length > 0,
    revoke: (name) => void (botOf(name).isRevoked = true),
    busyOnce: (seconds) => void (busySeconds = seconds),
    stop: server.stop,
  };
}

const results = (result: unknown): Answered => ({ body: { ok: true, result } });

const refused = (code: number, description: string, parameters?: object): Answered => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
});
