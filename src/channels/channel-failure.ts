/** Why a provider could not be reached, or did not do what it was asked. */
import { OutgoingError } from '../outgoing/failure.ts';

/** The message is for the account's owner: it has the server's own words. */
export class ChannelFailure extends Error {
  /** Whether the account's credentials are what does not work. */
  readonly isRefusal: boolean;
  /** How long the provider wants to be left alone; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, isRefusal = false, cause?: unknown, retryAfterMs?: number) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ChannelFailure';
    this.isRefusal = isRefusal;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What a failure of the way out says; others are told in `words`. */
export function failureOf(error: unknown, words: (message: string) => string): Error {
  if (error instanceof ChannelFailure || !(error instanceof Error)) return error as Error;
  if (error instanceof OutgoingError) return new ChannelFailure(error.message, false, error);
  return new ChannelFailure(words(firstLine(error.message)), false, error);
}

/** Of a text from outside, what is worth telling. */
export function firstLine(text: string): string {
  const [line = ''] = text
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .trim()
    .split('\n');
  return line.toWellFormed().slice(0, 300);
}
