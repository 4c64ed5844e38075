/** Delivers mails, retrying until a server accepts them; several processes may do so at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { messageForLog } from '../lib/thrown.ts';
import type { Outbox, MailOrder, WaitingMail } from './outbox.ts';

export interface Mail {
  /** The id of the order, which stays the same when a mail is sent again. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail; resolves to the file it was written to if there is no server. */
export type SendMail = (mail: Mail) => Promise<string | undefined>;

export interface DeliveryParts {
  readonly outbox: Outbox;
  /** Composes the mail; undefined if nothing is to be sent. `id` is the same on each attempt. */
  compose(order: MailOrder, id: string): Promise<Omit<Mail, 'id'> | undefined>;
  send: SendMail;
  /** Cleans up, called now and then between deliveries. */
  tidy(): Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The interval of polling without a notification. */
const lookMs = 5_000;
const tidyMs = 3_600_000;
const takenAtOnce = 5;
const stopMs = 2_000;
const firstPauseMs = 1_000;
const longestPauseMs = 900_000;
/** A mail that no server accepted is given up after this time. */
const givenUpMs = 3 * 24 * 3_600_000;

/** Delivers until stopped: `woken` resolves when there may be a new mail. Returns a function that stops it. */
export function deliver(parts: DeliveryParts, woken: (signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const working = work(parts, woken, stop.signal);
  return async () => {
    stop.abort();
    // A mail still being sent is left to another process, or the next start.
    await Promise.race([working, sleep(stopMs, undefined, { ref: false })]);
  };
}

async function work(parts: DeliveryParts, woken: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
  const { outbox, tidy, clock, log } = parts;
  let tidiedAt = clock.now();
  let waitMs = lookMs;
  while (!signal.aborted) {
    try {
      const taken = await outbox.take(takenAtOnce);
      const pauses = await Promise.all(taken.map((mail) => attempt(parts, mail)));
      waitMs = Math.min(waitMs, ...pauses);
      if (taken.length > 0) continue;
      if (clock.now() - tidiedAt > tidyMs) {
        tidiedAt = clock.now();
        await tidy();
      }
    } catch (error) {
      log.warn({ reason: messageForLog(error) }, 'Mails could not be looked for');
    }
    const idle = new AbortController();
    const over = AbortSignal.any([signal, idle.signal]);
    await Promise.race([woken(over), sleep(waitMs, undefined, { signal: over, ref: false }).catch(() => {})]);
    idle.abort();
    waitMs = lookMs;
  }
}

/** The milliseconds until the next attempt; Infinity if the mail is done. */
async function attempt({ outbox, compose, send, clock, log }: DeliveryParts, mail: WaitingMail): Promise<number> {
  const { id, order, attempts, createdAt } = mail;
  if (!order) {
    log.error({ mail: id }, 'A mail cannot be read: the secret that sealed it is not at hand');
    await outbox.done(id);
    return Infinity;
  }
  try {
    const composed = await compose(order, id);
    const file = composed && (await send({ id, ...composed }));
    if (file !== undefined) log.info({ file }, 'Without KITH_SMTP_URL a mail is written to a file');
    await outbox.done(id);
    return Infinity;
  } catch (error) {
    const isOver = clock.now() - createdAt > givenUpMs;
    // The server's answer may contain the address.
    log.warn(
      { mail: id, attempts, code: codeIn(error) },
      isOver ? 'A mail is given up' : 'A mail was not taken; it is tried again',
    );
    const pauseMs = isOver ? Infinity : Math.min(longestPauseMs, firstPauseMs * 3 ** Math.min(attempts - 1, 10));
    await (isOver ? outbox.done(id) : outbox.postpone(id, clock.now() + pauseMs));
    return pauseMs;
  }
}

function codeIn(error: unknown): string | undefined {
  const { code, responseCode } = (error ?? {}) as { readonly code?: unknown; readonly responseCode?: unknown };
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || undefined;
}

/** Wakes one waiter when it is rung, or the next one that waits. */
export interface Bell {
  ring(): void;
  /** Resolves when it is rung, or was since it last woke a waiter; also when `signal` is aborted. */
  rung(signal: AbortSignal): Promise<void>;
}

/** Makes a bell for one waiter at a time. */
export function createBell(): Bell {
  let isRung = false;
  let wake = () => {};
  return {
    ring() {
      isRung = true;
      wake();
    },
    rung: (signal) =>
      new Promise<void>((resolve) => {
        const end = () => {
          wake = () => {};
          resolve();
        };
        wake = () => {
          isRung = false;
          end();
        };
        signal.addEventListener('abort', end, { once: true });
        if (isRung) wake();
      }),
  };
}
