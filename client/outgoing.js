/** Turns the arguments of a method into its request: path, then body, then query, then options. */
import { KithError } from './error.js';

/**
 * @typedef {import('./index.js').AnyOptions} Options
 * @typedef {{ items: string, cursor: string, next: string, more?: string }} Paging
 * @typedef {{
 *   method: string, path: string, seconds: number, body?: boolean, query?: boolean, isSafe?: boolean, takesKey?: boolean,
 *   isStream?: boolean, download?: string, takesFile?: boolean, paging?: Paging,
 * }} Operation
 * @typedef {{
 *   method: string, path: string, headers: Record<string, string>, body?: BodyInit, seconds: number, mayRepeat: boolean,
 * }} Outgoing
 * @typedef {{ path: string, body?: unknown, query: Record<string, unknown>, options: Options }} Given
 */

/**
 * The arguments of a call, by their roles. Throws INVALID_ARGUMENT for an id that would change the path.
 * @param {Operation} operation
 * @param {unknown[]} values
 * @returns {Given}
 */
export function givenTo({ path, body, query }, values) {
  const rest = [...values];
  const filled = path.replace(/:(\w+)/g, (_, /** @type {string} */ name) => segment(name, rest.shift()));
  const given = body ? rest.shift() : undefined;
  const asked = query ? rest.shift() : undefined;
  return {
    path: filled,
    ...(body && { body: given ?? {} }),
    query: /** @type {Record<string, unknown>} */ (asked ?? {}),
    options: rest.shift() ?? {},
  };
}

/**
 * Makes the request. A write that takes an Idempotency-Key gets one unless the options have it, so that it can be retried.
 * @param {Operation} operation
 * @param {Given} given
 * @param {{ type: string, bytes: BodyInit }} [file] in place of the body
 * @returns {Outgoing}
 */
export function outgoingOf(operation, { path, body, query, options }, file) {
  const { method, seconds, isSafe = false, takesKey = false } = operation;
  const { idempotencyKey = takesKey ? newKey() : undefined, dryRun, changeSet, ifMatch, timeZone, headers } = options;
  const told = {
    'content-type': file ? file.type : body === undefined ? undefined : 'application/json',
    'idempotency-key': idempotencyKey,
    'change-set': changeSet,
    'if-match': ifMatch,
    'time-zone': timeZone,
  };
  const text = queryText({ ...query, ...(dryRun && { dry_run: true }) });
  const sent = file ? file.bytes : body === undefined ? undefined : JSON.stringify(body);
  return {
    method,
    path: path + text,
    headers: { ...lowerCased(headers ?? {}), ...withoutUndefined(told) },
    ...(sent !== undefined && { body: sent }),
    seconds,
    mayRepeat: isSafe || dryRun === true || (takesKey && idempotencyKey !== undefined),
  };
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function segment(name, value) {
  // In an address these mean another path.
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new KithError(
      'INVALID_ARGUMENT',
      `${name} must be a text that names something, not ${JSON.stringify(value)}`,
    );
  return encodeURIComponent(value);
}

/**
 * Lists are joined by commas; other values that are not text are sent as JSON.
 * @param {Record<string, unknown>} query
 */
function queryText(query) {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, textOf(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function textOf(value) {
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.map(listed).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Quotes an item as in CSV.
 * @param {unknown} value
 */
function listed(value) {
  const text = String(value);
  return /[",]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** A unique key. Some runtimes, and pages without TLS, have no `crypto`. */
function newKey() {
  if (typeof globalThis.crypto?.randomUUID === 'function') return globalThis.crypto.randomUUID();
  const parts = Array.from({ length: 4 }, () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  );
  return `${Date.now().toString(16)}-${parts.join('')}`;
}

/** @param {Record<string, string>} headers */
function lowerCased(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/**
 * @param {Record<string, string | undefined>} values
 * @returns {Record<string, string>}
 */
function withoutUndefined(values) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return /** @type {Record<string, string>} */ (Object.fromEntries(entries));
}
