/** Failures of a provider: it could not be reached, or refused a request. */
import { OutgoingError } from '../outgoing/failure.ts';

/** A failure of a provider. The message is shown to the account's owner and repeats the server's words. */
export class ChannelFailure extends Error {
  /** Whether the account's credentials were refused. */
  readonly isRefusal: boolean;
  /** How long to wait before the next request; undefined if the provider does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, isRefusal = false, cause?: unknown, retryAfterMs?: number) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ChannelFailure';
    this.isRefusal = isRefusal;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A failed outgoing request as a ChannelFailure; messages of other errors are worded by `words`. */
export function failureOf(error: unknown, words: (message: string) => string): Error {
  if (error instanceof ChannelFailure || !(error instanceof Error)) return error as Error;
  if (error instanceof OutgoingError) return new ChannelFailure(error.message, false, error);
  return new ChannelFailure(words(firstLine(error.message)), false, error);
}

/** The first line, without control characters, at most 300 characters. */
export function firstLine(text: string): string {
  const [line = ''] = text
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .trim()
    .split('\n');
  return line.toWellFormed().slice(0, 300);
}
