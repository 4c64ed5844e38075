/** Fetches a bot's updates, for services that Telegram's webhooks cannot reach. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../access/call.ts';
import { isObject, parseJson, type JsonObject } from '../../lib/json.ts';
import type { Mailbox } from '../mailbox.ts';
import { takeMessages } from '../messengers/take-messages.ts';
import { objectsIn } from '../messengers/json-values.ts';
import { notePosition, readPositions } from '../positions.ts';
import type { Waiting } from '../watch.ts';
import { askBot, BotConflict, botRequest, wantedUpdates } from './bot-api.ts';
import type { TelegramSettings } from './telegram-settings.ts';
import { messageIn, numberOf } from './updates.ts';

const mostAtOnce = 100;
/** The name of the position of fetched updates. */
const part = 'updates';

/**
 * Imports the bot's pending updates; returns the next update number. A request confirms all updates before its offset, so each
 * portion is stored first, with its position. If a webhook is set, it is removed if `removesHook`; else nothing is fetched, since the
 * webhook delivers the updates. Throws ChannelFailure and AccountGone.
 */
export async function fetchUpdates(
  call: Call,
  account: Mailbox,
  settings: TelegramSettings,
  removesHook: boolean,
): Promise<number> {
  const bot = botNumber(settings);
  const known = (await readPositions(call, account.integrationId)).get(part);
  let next = known?.uidValidity === bot ? known.lastUid + 1 : 0;
  let mayRemove = removesHook;
  for (;;) {
    try {
      const updates = objectsIn(await askBot(call, settings, 'getUpdates', inputOf(next, 0)));
      if (updates.length === 0) return next;
      const last = updates.reduce((latest, update) => Math.max(latest, numberOf(update) ?? 0), next);
      const isNew = updates.some((update) => (numberOf(update) ?? -1) >= next);
      await call.part((now) => takeUpdates(now, account, settings, updates, last));
      next = last + 1;
      // A server that repeats updates has no new ones.
      if (!isNew) return next;
    } catch (error) {
      if (!(error instanceof BotConflict)) throw error;
      // Another process is fetching and stores the updates, or the webhook delivers them.
      if (!mayRemove || !/webhook/i.test(error.message)) return next;
      await askBot(call, settings, 'deleteWebhook', { drop_pending_updates: false });
      mayRemove = false;
    }
  }
}

/** The bot's id, which distinguishes its update numbers from those of a bot that replaces it. */
function botNumber({ bot_token: token }: TelegramSettings): string {
  return /^(\d{1,15}):/.exec(token)?.[1] ?? '0';
}

/** The input of `getUpdates`. */
function inputOf(offset: number, seconds: number): JsonObject {
  return { offset, limit: mostAtOnce, timeout: seconds, allowed_updates: wantedUpdates };
}

/** Stores the messages of updates; `last` is the position of fetched ones, absent for those of a webhook. Throws AccountGone. */
export function takeUpdates(
  call: Call,
  account: Mailbox,
  settings: TelegramSettings,
  updates: readonly JsonObject[],
  last?: number,
): Promise<void> {
  const messages = updates.flatMap((update) => messageIn(update, settings) ?? []);
  return takeMessages(call, account, 'telegram', messages, async (tx) => {
    if (last === undefined) return;
    const position = { uidValidity: botNumber(settings), lastUid: last, remaining: 0 };
    await notePosition(call, tx, account.integrationId, part, position);
  });
}

const longestPollSeconds = 50;
/** Added to the poll time for the timeout of the request. */
const graceMs = 10_000;
/** The least interval of requests, even if a server answers at once. */
const leastPauseMs = 2_000;

/**
 * Polls, outside of any call, until Telegram has updates from `next` on, then calls `onNews`; the next sync fetches them. Ends after
 * that, when it is ended, or when a request fails.
 */
export function awaitUpdates(
  { outgoing }: Pick<Call, 'outgoing'>,
  settings: TelegramSettings,
  next: number,
  onNews: () => void,
): Waiting {
  const ended = new AbortController();
  const { signal } = ended;
  async function wait(): Promise<void> {
    const request = {
      ...botRequest(settings, 'getUpdates', inputOf(next, longestPollSeconds)),
      isPlainForNamedOnly: true,
    };
    const limits = { signal, timeoutMs: longestPollSeconds * 1_000 + graceMs, maxBytes: 2 * 1024 * 1024 };
    for (;;) {
      const since = performance.now();
      const { status, body } = await outgoing.request(request, limits);
      const answer = parseJson(body.toString());
      if (status !== 200 || !isObject(answer)) return;
      await sleep(Math.max(0, leastPauseMs - (performance.now() - since)), undefined, { signal });
      if (objectsIn(answer['result']).length > 0) {
        onNews();
        return;
      }
    }
  }
  // The next sync meets and reports the same error.
  wait().then(
    () => ended.abort(),
    () => ended.abort(),
  );
  return {
    get isThere() {
      return !signal.aborted;
    },
    end: () => ended.abort(),
  };
}
