/** Sends one request over `fetch`, within its time limit, and reads the answer. */
import { errorOf, KithError, unreachable } from './error.js';

const restPrefix = '/api/v1';

/**
 * @typedef {import('./outgoing.js').Outgoing} Outgoing
 * @typedef {import('./index.js').ClientSettings} Settings
 */

/**
 * @template T
 * @typedef {(response: Response, patience: Patience) => Promise<T>} Read
 */

/** Sends requests to one service with one token, or with the browser's session. */
export class Sender {
  #base;
  #token;
  #fetch;
  #headers;

  /** @param {Settings} settings */
  constructor({ baseUrl, token, headers = {}, fetch: given }) {
    this.#base = baseOf(baseUrl);
    this.#token = token;
    this.#headers = headers;
    // Browsers refuse `fetch` called as a method.
    this.#fetch =
      given ?? ((/** @type {string} */ url, /** @type {RequestInit} */ init) => globalThis.fetch(url, init));
  }

  /**
   * Sends the request and resolves to `read` of a successful answer. Throws KithError, or the signal's reason.
   * @template T
   * @param {Outgoing} request
   * @param {Read<T>} read reads the answer completely, unless it keeps the patience
   * @param {{ signal?: AbortSignal | undefined, limitMs: number }} limits
   * @returns {Promise<T>}
   */
  async send({ method, path, headers, body }, read, { signal, limitMs }) {
    const token = await this.#currentToken();
    const patience = new Patience(limitMs, signal);
    try {
      const response = await this.#fetch(this.#base + restPrefix + path, {
        method,
        headers: { ...this.#headers, ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body }),
        // Following a redirect could send the token to another host.
        redirect: 'error',
        signal: patience.signal,
      });
      if (!response.ok) throw errorOf(response, await response.text());
      return await read(response, patience);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof KithError) throw error;
      if (patience.isOver) throw new KithError('TIMEOUT', `${this.#base} has not answered within ${limitMs} ms`);
      throw unreachable(this.#base, error);
    } finally {
      if (!patience.isKept) patience.end();
    }
  }

  async #currentToken() {
    if (this.#token === null) return null;
    const token = typeof this.#token === 'function' ? await this.#token() : this.#token;
    // `fetch` would refuse it with an error that quotes the token.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw new KithError('INVALID_ARGUMENT', 'token must be an API token: svc_ and what follows it');
    return token;
  }
}

/** A time limit or a signal, whichever comes first. */
export class Patience {
  #controller = new AbortController();
  #signal;
  #limitMs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  isOver = false;
  /** Whether it stays in force after the request is answered, for a stream. */
  isKept = false;

  /**
   * @param {number} limitMs
   * @param {AbortSignal | undefined} signal
   */
  constructor(limitMs, signal) {
    this.#limitMs = limitMs;
    this.#signal = signal;
    if (signal?.aborted) this.#follow();
    else signal?.addEventListener('abort', this.#follow, { once: true });
    this.again();
  }

  get signal() {
    return this.#controller.signal;
  }

  /** Restarts the time limit. */
  again() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#expire, this.#limitMs);
  }

  /** Stops the time limit; the signal stays in force. */
  keep() {
    this.isKept = true;
    clearTimeout(this.#timer);
  }

  end() {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#follow);
  }

  /** Aborts what runs under it. */
  close() {
    this.end();
    this.#controller.abort();
  }

  #expire = () => {
    this.isOver = true;
    this.#controller.abort();
  };

  #follow = () => this.#controller.abort(this.#signal?.reason);
}

/** @param {unknown} text */
function baseOf(text) {
  /** @type {URL | undefined} */
  let url;
  try {
    url = new URL(String(text));
  } catch {
    // Reported below.
  }
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!url || !isPlain)
    throw new KithError('INVALID_ARGUMENT', 'baseUrl must look like https://crm.example or http://127.0.0.1:3000');
  return url.href.replace(/\/+$/, '');
}
