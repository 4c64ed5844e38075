/** Retries: only requests that were not carried out or are safe to repeat, and never earlier than the service allows. */
import { KithError } from './error.js';

const firstWaitMs = 250;
const longestWaitMs = 8_000;

/**
 * @typedef {{ maxRetries: number, maxWaitMs: number, signal?: AbortSignal | undefined }} Patience
 */

/**
 * Runs `attempt` until it succeeds, may not be repeated, or has used up its retries.
 * @template T
 * @param {() => Promise<T>} attempt
 * @param {boolean} mayRepeat whether a repeat is harmless even if the first one was carried out
 * @param {Patience} patience
 * @returns {Promise<T>}
 */
export async function attempts(attempt, mayRepeat, { maxRetries, maxWaitMs, signal }) {
  let wasLost = false;
  for (let count = 0; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof KithError) || count >= maxRetries || !isPassing(error, mayRepeat, wasLost)) throw error;
      wasLost ||= error.status === undefined;
      const waitMs = waitBefore(count, error.retryAfterSeconds);
      // A retry before that time would be refused anyway.
      if (waitMs > maxWaitMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

/**
 * Whether the same request may succeed later.
 * @param {KithError} error
 * @param {boolean} mayRepeat
 * @param {boolean} [wasLost] whether an earlier attempt was not answered: it may still be running, with the same key
 */
export function isPassing({ code, status }, mayRepeat, wasLost = false) {
  // It was not started.
  if (code === 'RATE_LIMITED') return true;
  if (!mayRepeat) return false;
  if (code === 'CONNECTION_FAILED' || code === 'TIMEOUT') return true;
  if (wasLost && code === 'CONFLICT' && status === 400) return true;
  return status === 502 || status === 503 || status === 504;
}

/**
 * The wait before a retry: longer each time, randomized, and never shorter than `seconds`.
 * @param {number} count
 * @param {number | undefined} seconds
 */
export function waitBefore(count, seconds) {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** count);
  const ownMs = most / 2 + (Math.random() * most) / 2;
  return seconds === undefined ? ownMs : Math.max(ownMs, seconds * 1000 + Math.random() * firstWaitMs);
}

/**
 * Waits; rejects with the signal's reason when it is aborted.
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
export function wait(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
