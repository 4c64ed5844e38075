/** Delivers mails, again until a server takes them; any number of processes may do so at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { messageForLog } from '../lib/thrown.ts';
import type { Outbox, MailOrder, WaitingMail } from './outbox.ts';

export interface Mail {
  /** Of the order: a mail that is sent twice has the same. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends one; resolves to the file that it was written to, where no server takes it. */
export type SendMail = (mail: Mail) => Promise<string | undefined>;

export interface DeliveryParts {
  readonly outbox: Outbox;
  /** What the order says by now; undefined where nothing is to be sent. `id` is that of the mail, each time it is tried. */
  compose(order: MailOrder, id: string): Promise<Omit<Mail, 'id'> | undefined>;
  send: SendMail;
  /** Done between deliveries, once in a while. */
  tidy(): Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a process does not look that was told of nothing. */
const lookMs = 5_000;
const tidyMs = 3_600_000;
const takenAtOnce = 5;
const stopMs = 2_000;
const firstPauseMs = 1_000;
const longestPauseMs = 900_000;
/** A mail that nobody took for so long is given up. */
const givenUpMs = 3 * 24 * 3_600_000;

/** Delivers until it is stopped: `woken` resolves whenever there may be something new. Returned is what stops it. */
export function deliver(parts: DeliveryParts, woken: (signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const working = work(parts, woken, stop.signal);
  return async () => {
    stop.abort();
    // One that a server is still at is left to another process, or to the next start.
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

/** In how many milliseconds it is to be tried again; Infinity where it is done with. */
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
    // What the server says may repeat the address.
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

/** Whom a bell wakes: who waits when it is rung, else who waits next. */
export interface Bell {
  ring(): void;
  /** Resolves when it is rung, or has been since it last woke somebody; and when `signal` is aborted. */
  rung(signal: AbortSignal): Promise<void>;
}

/** One for a process, where one waits at a time. */
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
