/** Updates of a bot that are fetched, where Telegram cannot call in. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../access/call.ts';
import { isObject, parseJson, type JsonObject } from '../../lib/json.ts';
import type { Mailbox } from '../mailbox.ts';
import { takeMessages } from '../messengers/take-messages.ts';
import { objectsIn } from '../messengers/told.ts';
import { notePosition, readPositions } from '../positions.ts';
import type { Waiting } from '../watch.ts';
import { askBot, BotConflict, botRequest, wantedUpdates } from './bot-api.ts';
import type { TelegramSettings } from './telegram-settings.ts';
import { messageIn, numberOf } from './updates.ts';

const mostAtOnce = 100;
/** Under which it is kept how far they are fetched. */
const part = 'updates';

/**
 * Brings in all that Telegram has for the bot. What is asked for next tells Telegram that what was before has come, so each portion is
 * kept together with its number first. Where a hook is set, `removesHook` says whether fetching takes its place: else what there is
 * comes by it. Gives the number that is wanted next. Throws ChannelFailure, and AccountGone.
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
      const updates = objectsIn(await askBot(call, settings, 'getUpdates', asking(next, 0)));
      if (updates.length === 0) return next;
      const last = updates.reduce((latest, update) => Math.max(latest, numberOf(update) ?? 0), next);
      const isNew = updates.some((update) => (numberOf(update) ?? -1) >= next);
      await call.part((now) => takeUpdates(now, account, settings, updates, last));
      next = last + 1;
      // A server that repeats itself has no more.
      if (!isNew) return next;
    } catch (error) {
      if (!(error instanceof BotConflict)) throw error;
      // Another process fetches at the moment, and keeps what it gets; or it comes by the hook.
      if (!mayRemove || !/webhook/i.test(error.message)) return next;
      await askBot(call, settings, 'deleteWebhook', { drop_pending_updates: false });
      mayRemove = false;
    }
  }
}

/** By which a number of one bot is told from those of another that has taken its place. */
function botNumber({ bot_token: token }: TelegramSettings): string {
  return /^(\d{1,15}):/.exec(token)?.[1] ?? '0';
}

function asking(offset: number, seconds: number): JsonObject {
  return { offset, limit: mostAtOnce, timeout: seconds, allowed_updates: wantedUpdates };
}

/** Keeps what updates tell; `last` is the number up to which they are fetched, where they are. Throws AccountGone. */
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
/** Beyond which nobody waits for the answer. */
const graceMs = 10_000;
/** A server that does not wait is not asked more often. */
const leastPauseMs = 2_000;

/**
 * Waits, outside of any call, until Telegram has updates from `next` on, and calls `onNews` then: whoever fetches them asks for them
 * again. It is over when that happens, when it is ended, or when the request fails.
 */
export function awaitUpdates(
  { outgoing }: Pick<Call, 'outgoing'>,
  settings: TelegramSettings,
  next: number,
  onNews: () => void,
): Waiting {
  const over = new AbortController();
  const { signal } = over;
  async function wait(): Promise<void> {
    const request = {
      ...botRequest(settings, 'getUpdates', asking(next, longestPollSeconds)),
      isPlainForNamedOnly: true,
    };
    const limits = { signal, timeoutMs: longestPollSeconds * 1_000 + graceMs, maxBytes: 2 * 1024 * 1024 };
    for (;;) {
      const since = performance.now();
      const { status, body } = await outgoing.request(request, limits);
      const told = parseJson(body.toString());
      if (status !== 200 || !isObject(told)) return;
      await sleep(Math.max(0, leastPauseMs - (performance.now() - since)), undefined, { signal });
      if (objectsIn(told['result']).length > 0) {
        onNews();
        return;
      }
    }
  }
  // What goes wrong is found by the next look, which says so.
  wait().then(
    () => over.abort(),
    () => over.abort(),
  );
  return {
    get isThere() {
      return !signal.aborted;
    },
    end: () => over.abort(),
  };
}
