/** What is under way to one receiver: messages that are ready, those that are being sent, and what came of them until that is noted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Attempted, Delivery } from './deliveries.ts';
import { send, type Message, type Outcome } from './send.ts';

/** A delivery, and what is sent of it. */
export interface Ready {
  readonly delivery: Delivery;
  readonly message: Message;
}

interface Parts {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

/** A message that could not be sent for so long is made anew: it tells the present state, as far as its reader may see it. */
const freshMs = 500;
/** Messages that are made ahead for each record that may be under way. */
const mostAhead = 12;
/** So long attempts are gathered, to be noted together, while there are messages that can be sent meanwhile. */
const gatherMs = 20;

/** Sends what it is given, some of it at a time. A delivery that it has is not to be taken again. */
export class Sending {
  readonly #parts: Parts;
  readonly #left = new AbortController();
  readonly #ids = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ready: (Ready & { readonly since: number })[] = [];
  readonly #ended: Attempted[] = [];
  /** So many may be under way; none from a failure on. */
  #most = 0;
  /** Counts failures, so that those that began before one that was counted are told from those that began after it. */
  #wave = 0;
  /** Attempts that ended since messages were last added: so fast they are wanted. */
  #pace = 0;
  #failure: { readonly error: unknown } | undefined;
  #change = Promise.withResolvers<void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  has({ deliveryId }: Delivery): boolean {
    return this.#ids.has(deliveryId);
  }

  /** Whether anything is under way or not noted. */
  isBusy(): boolean {
    return this.#underWay.size > 0 || this.#ended.length > 0;
  }

  /** How many messages are worth being made: for a receiver that takes its time no more than can be begun, since they grow old. */
  room(): number {
    const wanted = this.#most - this.#underWay.size + Math.min(this.#pace, mostAhead * this.#most);
    return Math.max(0, wanted - this.#ready.length);
  }

  /** Sends what is ready, `most` at a time, until an attempt fails. */
  goOn(most: number): void {
    this.#most = most;
    this.#begin();
  }

  /** Gives back what is ready; what is under way goes on. */
  pause(): void {
    this.#most = 0;
    for (const { delivery } of this.#ready.splice(0)) this.#ids.delete(delivery.deliveryId);
  }

  /** Takes messages, to be sent in their order. */
  add(messages: readonly Ready[]): void {
    const since = this.#parts.clock.now();
    this.#pace = 0;
    for (const one of messages) {
      this.#ids.add(one.delivery.deliveryId);
      this.#ready.push({ ...one, since });
    }
    this.#begin();
  }

  /** The attempts that ended since they were last asked for. Throws what no receiver is to blame for. */
  ended(): readonly Attempted[] {
    if (this.#failure) throw this.#failure.error;
    return this.#ended.splice(0);
  }

  /** The attempts are noted. */
  forget(attempts: readonly Attempted[]): void {
    for (const { delivery } of attempts) this.#ids.delete(delivery.deliveryId);
  }

  /** Resolves when an attempt has ended, or `mostMs` have passed, or `signal` is aborted. */
  async untilEnded(mostMs: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => this.#ended.length > 0 || this.#failure !== undefined, mostMs, signal);
    await this.#until(() => this.#ready.length === 0 || this.#most === 0, gatherMs, signal);
  }

  /** Breaks off what is under way. */
  async leave(): Promise<void> {
    this.pause();
    this.#left.abort();
    await Promise.all(this.#underWay);
  }

  #begin(): void {
    while (this.#underWay.size < this.#most) {
      const next = this.#ready.shift();
      if (!next) return;
      if (this.#parts.clock.now() - next.since <= freshMs) this.#send(next);
      else this.#ids.delete(next.delivery.deliveryId);
    }
  }

  #send({ delivery, message }: Ready): void {
    const wave = this.#wave;
    const { outgoing, clock } = this.#parts;
    const sent = send(outgoing, message, clock.now(), this.#left.signal).then(
      (outcome) => {
        this.#ended.push({ delivery, outcome: { ...outcome, isCounted: this.#counts(outcome, wave) } });
      },
      (error: unknown) => {
        if (!this.#left.signal.aborted) this.#failure = { error };
      },
    );
    const over = sent.then(() => {
      this.#underWay.delete(over);
      this.#pace++;
      this.#begin();
      const { resolve } = this.#change;
      this.#change = Promise.withResolvers();
      resolve();
    });
    this.#underWay.add(over);
  }

  /** Whoever has failed is looked at before anything else is sent to it. */
  #counts({ isTaken }: Outcome, wave: number): boolean {
    if (isTaken) return false;
    this.#most = 0;
    if (wave < this.#wave) return false;
    this.#wave++;
    return true;
  }

  async #until(isSo: () => boolean, mostMs: number, signal: AbortSignal): Promise<void> {
    if (isSo()) return;
    const ending = new AbortController();
    let isOver = false;
    const over = sleep(mostMs, undefined, { signal: AbortSignal.any([ending.signal, signal]) })
      .catch(() => {})
      .then(() => void (isOver = true));
    while (!isOver && !isSo()) await Promise.race([this.#change.promise, over]);
    ending.abort();
  }
}
