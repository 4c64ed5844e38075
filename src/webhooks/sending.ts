/** The messages for one receiver: ready, in flight, and finished until their outcome is stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Attempted, Delivery } from './deliveries.ts';
import { send, type Message, type Outcome } from './send.ts';

/** A delivery with its message. */
export interface Ready {
  readonly delivery: Delivery;
  readonly message: Message;
}

interface Parts {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

/** A message that waited longer is rendered again, since it must show the present state and rights. */
const freshMs = 500;
/** Messages rendered ahead per concurrent record. */
const mostAhead = 12;
/** How long outcomes are collected before they are stored together, while there are messages to send. */
const gatherMs = 20;

/** Sends messages with limited concurrency. A delivery it contains must not be added again. */
export class Sending {
  readonly #parts: Parts;
  readonly #left = new AbortController();
  readonly #ids = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ready: (Ready & { readonly since: number })[] = [];
  readonly #ended: Attempted[] = [];
  /** The present concurrency; 0 after a failure. */
  #most = 0;
  /** Counts failures, to distinguish attempts that began before a counted failure from later ones. */
  #wave = 0;
  /** Attempts finished since messages were last added: the receiver's pace. */
  #pace = 0;
  #failure: { readonly error: unknown } | undefined;
  #change = Promise.withResolvers<void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  has({ deliveryId }: Delivery): boolean {
    return this.#ids.has(deliveryId);
  }

  /** Whether anything is in flight or not stored yet. */
  isBusy(): boolean {
    return this.#underWay.size > 0 || this.#ended.length > 0;
  }

  /** The number of messages worth rendering: for a slow receiver no more than can be started, since they become outdated. */
  room(): number {
    const wanted = this.#most - this.#underWay.size + Math.min(this.#pace, mostAhead * this.#most);
    return Math.max(0, wanted - this.#ready.length);
  }

  /** Sends ready messages, `most` concurrently, until an attempt fails. */
  goOn(most: number): void {
    this.#most = most;
    this.#begin();
  }

  /** Drops ready messages; those in flight continue. */
  pause(): void {
    this.#most = 0;
    for (const { delivery } of this.#ready.splice(0)) this.#ids.delete(delivery.deliveryId);
  }

  /** Adds messages to be sent in order. */
  add(messages: readonly Ready[]): void {
    const since = this.#parts.clock.now();
    this.#pace = 0;
    for (const one of messages) {
      this.#ids.add(one.delivery.deliveryId);
      this.#ready.push({ ...one, since });
    }
    this.#begin();
  }

  /** Attempts finished since the last call. Throws errors that are not the receiver's. */
  ended(): readonly Attempted[] {
    if (this.#failure) throw this.#failure.error;
    return this.#ended.splice(0);
  }

  /** Forgets attempts whose outcome is stored. */
  forget(attempts: readonly Attempted[]): void {
    for (const { delivery } of attempts) this.#ids.delete(delivery.deliveryId);
  }

  /** Resolves when an attempt has finished, after `mostMs`, or when `signal` is aborted. */
  async untilEnded(mostMs: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => this.#ended.length > 0 || this.#failure !== undefined, mostMs, signal);
    await this.#until(() => this.#ready.length === 0 || this.#most === 0, gatherMs, signal);
  }

  /** Aborts what is in flight. */
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

  /** Whether a failure counts; after one, nothing else is sent until the receiver was evaluated. */
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
