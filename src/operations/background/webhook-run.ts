/**
 * One run of a webhook: what happened is planned from history in its creator's name, and sent. Records go side by side; what
 * happened to one record goes in its order.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { JobRefused, type Job } from '../../jobs/job.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Turns } from '../../lib/turns.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/sql.ts';
import {
  deliveryIn,
  insertDeliveries,
  mostPending,
  noteAttempt,
  selectHeads,
  selectPending,
  withhold,
  type Delivery,
} from '../../webhooks/deliveries.ts';
import { troubledFrom } from '../../webhooks/schedule.ts';
import { send } from '../../webhooks/send.ts';
import {
  advance,
  noteReceiver,
  selectWebhook,
  stop,
  webhookIn,
  type At,
  type StoredWebhook,
} from '../../webhooks/stored-webhooks.ts';
import type { Operation } from '../door/operation.ts';
import type { Perform } from '../door/perform.ts';
import type { Sessions } from '../door/sessions.ts';
import { performInNameOf } from './in-name-of.ts';
import { planning, preparing } from './webhook-events.ts';

export interface RunParts {
  readonly sessions: Pick<Sessions, 'ofUser'>;
  /** A door whose operations have no deadline. */
  readonly perform: Perform;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly log: Log;
  /** For what all runs of the process do with databases. */
  readonly turns: Turns;
  /** Whether others wait for this run to end. */
  isWaitedFor(): boolean;
}

/** Records that are sent to one receiver at a time, while it takes what it gets. */
const atOnce = 4;
/** So often it looks for new events while it sends. */
const planEveryMs = 500;
/** Events that one plan takes from history. */
const mostPlanned = 100;
/** When to look again for what is committed and hidden behind a longer write of somebody else. */
const hiddenMs = 250;
/** So long a run goes on while others wait. */
const sliceMs = 10_000;

const secretLost = 'Its secret cannot be opened any more: rotate-secret gives it a new one';

/** The webhook sends nothing more. */
class Stopped extends Error {}

/** Sends until nothing is due any more, or the job is to be left. */
export class WebhookRun {
  readonly #parts: RunParts;
  readonly #job: Job<unknown>;
  readonly #at: At;
  readonly #signal: AbortSignal;
  /** Aborts what is being sent. */
  readonly #leave = new AbortController();
  readonly #sending = new Map<string, Promise<void>>();
  /** Whether something of it ended since the last look, which may not know that. */
  #hasEnded = false;

  constructor(parts: RunParts, job: Job<unknown>, webhookId: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#job = job;
    this.#at = { schema: job.organization.schema, webhookId };
    this.#signal = signal;
  }

  /** When it is to come again, in milliseconds; undefined where the webhook sends nothing more. */
  async run(): Promise<number | undefined> {
    try {
      return await this.#goOn();
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      throw error;
    } finally {
      this.#leave.abort();
      await Promise.allSettled(this.#sending.values());
    }
  }

  async #goOn(): Promise<number | undefined> {
    const { clock } = this.#parts;
    const since = clock.now();
    let planAt = 0;
    let hasHidden = false;
    for (;;) {
      this.#signal.throwIfAborted();
      const { webhook, heads, pending } = await this.#look();
      if (webhook?.state !== 'active') return undefined;
      const now = clock.now();
      if (now >= planAt && pending < mostPending) {
        const plan = await this.#plan(webhook, mostPending - pending);
        hasHidden = plan.hasHidden;
        planAt = plan.isFull ? 0 : now + planEveryMs;
        if (plan.hasMoved) continue;
      }
      // What was due by the look may be taken by now.
      if (this.#hasEnded) continue;
      const isLong = now - since > sliceMs && this.#parts.isWaitedFor();
      if (!isLong && webhook.restUntil <= now) this.#begin(webhook, heads, now);
      if (this.#sending.size > 0) await this.#untilSomethingEnds();
      else return isLong ? now : Math.max(now, nextLook(webhook, heads[0], now, hasHidden));
    }
  }

  /** What there is of the webhook at this moment: somebody may have changed it. */
  async #look() {
    const { database, organization } = this.#job;
    this.#hasEnded = false;
    const wanted = [selectWebhook(this.#at), selectHeads(this.#at, 2 * atOnce), selectPending(this.#at)];
    const [webhook, heads, pending] = await this.#parts.turns(() =>
      database.read(
        organization.id,
        wanted.map((query) => statement(query)),
      ),
    );
    return {
      webhook: webhookIn(webhook?.rows[0]),
      heads: (heads?.rows ?? []).map(deliveryIn),
      pending: Number(pending?.rows[0]?.[0] ?? 0),
    };
  }

  async #plan(webhook: StoredWebhook, room: number) {
    const plan = await this.#inNameOfCreator(webhook, planning(webhook, Math.min(room, mostPlanned)));
    const hasMoved = plan.place !== webhook.place;
    if (hasMoved)
      await this.#write(async (tx, now) => {
        if (!(await advance(tx, this.#at, webhook, plan.place, plan.events.length))) return;
        if (plan.events.length > 0) await insertDeliveries(tx, this.#at, plan.events, webhook.planned + 1, now);
      });
    return { ...plan, hasMoved };
  }

  #begin(webhook: StoredWebhook, heads: readonly Delivery[], now: number): void {
    const most = webhook.failures >= troubledFrom ? 1 : atOnce;
    for (const head of heads) {
      const id = head.deliveryId;
      if (this.#sending.size >= most || head.nextAttemptAt > now) return;
      if (this.#sending.has(id)) continue;
      const sent = this.#send(webhook, head).finally(() => {
        this.#sending.delete(id);
        this.#hasEnded = true;
      });
      // Whoever waits for it is told; nobody may by then.
      sent.catch(() => {});
      this.#sending.set(id, sent);
    }
  }

  async #send(webhook: StoredWebhook, delivery: Delivery): Promise<void> {
    const { outgoing, clock } = this.#parts;
    const { body, secrets } = await this.#inNameOfCreator(webhook, preparing(webhook, delivery));
    if (body === undefined) return this.#write((tx, now) => withhold(tx, this.#at, delivery, now));
    if (secrets.length === 0) return this.#stop(secretLost);
    const message = { url: webhook.url, id: delivery.id, body, secrets };
    const outcome = await send(outgoing, message, clock.now(), this.#leave.signal);
    await this.#write(async (tx, now) => {
      await noteAttempt(tx, this.#at, delivery, outcome, now);
      await noteReceiver(tx, this.#at, webhook, outcome, now);
    });
  }

  /** One transaction, unless another worker has the job by now. */
  async #write(body: (tx: Queryable, now: number) => Promise<void>): Promise<void> {
    const { database, organization, checkpoint } = this.#job;
    await this.#parts.turns(() =>
      database.transaction(organization.id, async (tx) => {
        await body(tx, this.#parts.clock.now());
        await checkpoint(tx, null);
      }),
    );
  }

  /** Performs as the creator is now. Throws Stopped where that may not call any more. */
  async #inNameOfCreator<Result extends object>(
    { creatorId, tokenId }: StoredWebhook,
    operation: Operation<Operation['input'], Result>,
  ): Promise<Result> {
    const job = { ...this.#job, inNameOf: { workspaceUserId: creatorId, tokenId } };
    try {
      return await this.#parts.turns(() => performInNameOf(this.#parts, job, operation, {}, this.#signal));
    } catch (error) {
      if (!(error instanceof JobRefused)) throw error;
      return this.#stop(error.message);
    }
  }

  async #stop(reason: string): Promise<never> {
    await this.#write((tx, now) => stop(tx, this.#at, reason, now));
    throw new Stopped();
  }

  async #untilSomethingEnds(): Promise<void> {
    const pause = new AbortController();
    const paused = sleep(planEveryMs, undefined, { signal: AbortSignal.any([pause.signal, this.#signal]) }).catch(
      () => {},
    );
    try {
      await Promise.race([...this.#sending.values(), paused]);
    } finally {
      pause.abort();
    }
  }
}

const secondMs = 1_000;
const minuteMs = 60_000;

/**
 * When there may be something to do: a head is due, or something happened that nobody has told of. A writer tells as soon as its
 * process knows that there are webhooks, which takes five seconds at most, and unless it dies between two statements.
 */
function nextLook(webhook: StoredWebhook, head: Delivery | undefined, now: number, hasHidden: boolean): number {
  const { restUntil, updatedAt, lastSuccessAt } = webhook;
  const due = head ? Math.max(head.nextAttemptAt, restUntil) : Infinity;
  const age = now - Math.max(updatedAt, lastSuccessAt);
  const usual = now - updatedAt < 10 * secondMs ? secondMs : age < 60 * minuteMs ? minuteMs : 10 * minuteMs;
  return Math.min(due, now + (hasHidden ? hiddenMs : usual));
}
