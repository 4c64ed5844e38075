/** One delivery attempt: a signed request, and the meaning of its answer. */
import { OutgoingError } from '../outgoing/failure.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { signedHeaders } from './signature.ts';

export interface Message {
  readonly url: string;
  /** The event's id, the same for each attempt, by which a receiver detects repetitions. */
  readonly id: string;
  readonly body: string;
  /** The signing secrets, newest first. */
  readonly secrets: readonly string[];
}

/** The outcome of an attempt. */
export interface Outcome {
  readonly isTaken: boolean;
  /** The status of the answer, if there was one. */
  readonly status: number | null;
  /** Null if it was accepted. */
  readonly error: string | null;
  /** The pause that the receiver requests. */
  readonly askedMs: number;
  /** Whether the receiver unsubscribes. */
  readonly isOver: boolean;
}

/** An outcome to be stored. */
export interface CountedOutcome extends Outcome {
  /** Whether it counts as a consecutive failure: of concurrent attempts only one does. */
  readonly isCounted: boolean;
}

const timeoutMs = 10_000;

/** Sends the message. Throws only the reason of `signal`. */
export async function send(outgoing: Outgoing, message: Message, now: number, signal: AbortSignal): Promise<Outcome> {
  const { url, id, body, secrets } = message;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kith-Webhooks',
    ...signedHeaders(secrets, id, now, body),
  };
  try {
    const request = { url, method: 'POST' as const, headers, body, isPlainForNamedOnly: true };
    const answer = await outgoing.request(request, { timeoutMs, maxBytes: 0, signal });
    return outcomeOf(answer.status, answer.headers['retry-after'], now);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { isTaken: false, status: null, error: error.message, askedMs: 0, isOver: false };
  }
}

function outcomeOf(status: number, retryAfter: string | undefined, now: number): Outcome {
  const isTaken = status >= 200 && status < 300;
  const askedMs = status === 429 || status === 503 ? millisOf(retryAfter, now) : 0;
  return { isTaken, status, error: isTaken ? null : errorOf(status), askedMs, isOver: status === 410 };
}

function errorOf(status: number): string {
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}), which is not followed: give the address that it leads to`;
  if (status === 410) return 'The receiver answered that it is gone (410)';
  return `The receiver answered with status ${status}`;
}

/** Parses Retry-After: seconds, or a date. */
function millisOf(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
