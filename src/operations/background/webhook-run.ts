/**
 * One run of a webhook: plans events from history in its creator's name and sends them. Events of different records go
 * concurrently; those of one record go in order.
 */
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
  noteAttempts,
  selectHeads,
  selectPending,
  withhold,
  type Delivery,
} from '../../webhooks/deliveries.ts';
import { atOnceAfter } from '../../webhooks/schedule.ts';
import { Sending } from '../../webhooks/sending.ts';
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
  /** A door without deadlines. */
  readonly perform: Perform;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly log: Log;
  /** Limits database use over all runs of the process. */
  readonly turns: Turns;
  /** Whether other runs wait for this one to end. */
  isWaitedFor(): boolean;
}

/** Interval of looking for new events while sending. */
const planEveryMs = 500;
/** Events per plan. */
const mostPlanned = 100;
/** Below this number of pending deliveries it plans at once if history has more, so that a fast receiver never waits. */
const fewPending = 300;
/** Head deliveries per look: more than can be in flight. */
const mostHeads = 200;
/** Interval of looking again for committed events behind a longer transaction. */
const hiddenMs = 250;
/** The duration of a run while others wait. */
const sliceMs = 10_000;

const secretLost = 'Its secret cannot be opened any more: rotate-secret gives it a new one';

/** Thrown if the webhook is to send nothing more. */
class Stopped extends Error {}

/** The state of a webhook at one moment. */
interface Seen {
  readonly webhook: StoredWebhook | undefined;
  readonly heads: readonly Delivery[];
  readonly pending: number;
}

/** A run: sends until nothing is due or the job is to stop. Its database work is sequential. */
export class WebhookRun {
  readonly #parts: RunParts;
  readonly #job: Job<unknown>;
  readonly #at: At;
  readonly #signal: AbortSignal;
  readonly #sending: Sending;
  /** State of the last plan. */
  #planAt = 0;
  #isMore = false;
  #hasHidden = false;

  constructor(parts: RunParts, job: Job<unknown>, webhookId: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#job = job;
    this.#at = { schema: job.organization.schema, webhookId };
    this.#signal = signal;
    this.#sending = new Sending(parts);
  }

  /** Returns the time of the next run in milliseconds; undefined if the webhook is to send nothing more. */
  async run(): Promise<number | undefined> {
    try {
      return await this.#goOn();
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      throw error;
    } finally {
      await this.#sending.leave();
    }
  }

  async #goOn(): Promise<number | undefined> {
    const { clock } = this.#parts;
    const since = clock.now();
    let seen = await this.#look();
    for (;;) {
      this.#signal.throwIfAborted();
      if (seen.webhook?.state !== 'active') return undefined;
      if (await this.#plan(seen.webhook, seen.pending)) seen = await this.#look();
      const { webhook, heads } = seen;
      if (webhook?.state !== 'active') return undefined;
      const now = clock.now();
      const isLong = now - since > sliceMs && this.#parts.isWaitedFor();
      let hasWithheld = false;
      if (isLong || webhook.restUntil > now) this.#sending.pause();
      else hasWithheld = await this.#begin(webhook, heads, now);
      if (this.#sending.isBusy()) {
        await this.#sending.untilEnded(planEveryMs, this.#signal);
        await this.#note(webhook);
      } else if (isLong) return now;
      else if (!hasWithheld && !this.#mayPlan(seen.pending))
        return Math.max(now, nextLook(webhook, heads[0], now, this.#hasHidden));
      seen = await this.#look();
    }
  }

  /** Reads the webhook again, which may have changed. */
  async #look(): Promise<Seen> {
    const { database, organization } = this.#job;
    const wanted = [selectWebhook(this.#at), selectHeads(this.#at, mostHeads), selectPending(this.#at)];
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

  /** Whether history has more events and there is room for them. */
  #mayPlan(pending: number): boolean {
    return this.#isMore && pending < fewPending;
  }

  /** Plans further events; returns whether the position advanced. */
  async #plan(webhook: StoredWebhook, pending: number): Promise<boolean> {
    const now = this.#parts.clock.now();
    if (pending >= mostPending || !(now >= this.#planAt || this.#mayPlan(pending))) return false;
    const limit = Math.min(mostPending - pending, mostPlanned);
    const plan = await this.#inNameOfCreator(webhook, planning(webhook, limit));
    this.#planAt = now + planEveryMs;
    this.#isMore = plan.isFull;
    this.#hasHidden = plan.hasHidden;
    if (plan.place === webhook.place) return false;
    await this.#write(async (tx, at) => {
      if (!(await advance(tx, this.#at, webhook, plan.place, plan.events.length))) return;
      if (plan.events.length > 0) await insertDeliveries(tx, this.#at, plan.events, webhook.planned + 1, at);
    });
    return true;
  }

  /** Renders and sends the due heads; returns whether some had nothing to send. */
  async #begin(webhook: StoredWebhook, heads: readonly Delivery[], now: number): Promise<boolean> {
    this.#sending.goOn(atOnceAfter(webhook.failures));
    const due = heads.filter((head) => head.nextAttemptAt <= now && !this.#sending.has(head));
    const wanted = due.slice(0, this.#sending.room());
    if (wanted.length === 0) return false;
    const { bodies, secrets } = await this.#inNameOfCreator(webhook, preparing(webhook, wanted));
    const hidden = wanted.filter(({ deliveryId: id }) => bodies.has(id) && bodies.get(id) === undefined);
    if (hidden.length > 0) await this.#write((tx, at) => withhold(tx, this.#at, hidden, at));
    const ready = wanted.flatMap((delivery) => {
      const body = bodies.get(delivery.deliveryId);
      return body === undefined ? [] : [{ delivery, message: { url: webhook.url, id: delivery.id, body, secrets } }];
    });
    if (ready.length > 0 && secrets.length === 0) await this.#stop(secretLost);
    this.#sending.add(ready);
    return hidden.length > 0;
  }

  async #note(webhook: StoredWebhook): Promise<void> {
    const attempted = this.#sending.ended();
    if (attempted.length === 0) return;
    await this.#write(async (tx, now) => {
      await noteAttempts(tx, this.#at, attempted, now);
      const outcomes = attempted.map(({ outcome }) => outcome);
      await noteReceiver(tx, this.#at, webhook, outcomes, now);
    });
    this.#sending.forget(attempted);
  }

  /** Runs one transaction, unless another worker has taken the job. */
  async #write(body: (tx: Queryable, now: number) => Promise<void>): Promise<void> {
    const { database, organization, checkpoint } = this.#job;
    await this.#parts.turns(() =>
      database.transaction(organization.id, async (tx) => {
        await body(tx, this.#parts.clock.now());
        await checkpoint(tx, null);
      }),
    );
  }

  /** Performs with the creator's current rights. Throws Stopped if the creator may not call any more. */
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
}

const secondMs = 1_000;
const minuteMs = 60_000;

/**
 * When there may be something to do: a head is due, or an event was not announced. A writer announces events once its
 * process knows of the webhooks, at most five seconds later, unless it dies between two statements.
 */
function nextLook(webhook: StoredWebhook, head: Delivery | undefined, now: number, hasHidden: boolean): number {
  const { restUntil, updatedAt, lastSuccessAt } = webhook;
  const due = head ? Math.max(head.nextAttemptAt, restUntil) : Infinity;
  const age = now - Math.max(updatedAt, lastSuccessAt);
  const usual = now - updatedAt < 10 * secondMs ? secondMs : age < 60 * minuteMs ? minuteMs : 10 * minuteMs;
  return Math.min(due, now + (hasHidden ? hiddenMs : usual));
}
