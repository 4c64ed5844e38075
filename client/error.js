/** The only error type, and how an answer becomes one. */
import { tellingOf } from './telling.js';

/** A request that failed. `code` is the reason for programs, the message the one for people. */
export class KithError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown, response?: Response, body?: Record<string, unknown> }} [behind]
   */
  constructor(code, message, { cause, response, body = {} } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'KithError';
    this.code = code;
    this.body = body;
    this.fieldErrors = /** @type {{ field: string, message: string }[]} */ (body['field_errors'] ?? []);
    this.availableValues = /** @type {string[]} */ (body['available_values'] ?? []);
    const { status, headers, requestId, rateLimit, warnings } = response ? tellingOf(response) : nothingTold;
    this.status = status;
    this.headers = headers;
    this.requestId = requestId;
    this.rateLimit = rateLimit;
    this.warnings = warnings;
    this.retryAfterSeconds = secondsIn(headers?.get('retry-after'));
  }
}

const nothingTold = {
  status: undefined,
  headers: undefined,
  requestId: undefined,
  rateLimit: undefined,
  warnings: /** @type {string[]} */ ([]),
};

/**
 * The error of a failed answer; `UNEXPECTED_ANSWER` if it is not from the service, such as a page of a proxy.
 * @param {Response} response
 * @param {string} text
 */
export function errorOf(response, text) {
  const body = objectIn(text);
  const { code, message, error } = body ?? {};
  if (!body || typeof code !== 'string') return unexpected(response);
  return new KithError(code, typeof message === 'string' ? message : String(error ?? code), { response, body });
}

/**
 * The error of an answer that the service does not give.
 * @param {Response} response
 */
export function unexpected(response) {
  return new KithError('UNEXPECTED_ANSWER', `Status ${response.status}, with a body that is not of Kith`, { response });
}

/**
 * The error of a request without an answer.
 * @param {string} address
 * @param {unknown} cause
 */
export function unreachable(address, cause) {
  // The message of `fetch` is generic; its cause names the reason.
  const behind = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = behind instanceof Error ? behind.message || behind.name : String(behind);
  return new KithError('CONNECTION_FAILED', `${address} does not answer: ${reason}`, { cause });
}

/** @param {string | null | undefined} text */
function secondsIn(text) {
  if (text === null || text === undefined || text === '') return undefined;
  // A proxy may send a date.
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/**
 * @param {string} text
 * @returns {Record<string, unknown> | undefined}
 */
function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
