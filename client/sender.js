/** One request over `fetch`, within its time, and what comes back. */
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

/** Sends to one service in the name of one token, or of the browser's session there. */
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
    // Browsers want it called on nothing.
    this.#fetch =
      given ?? ((/** @type {string} */ url, /** @type {RequestInit} */ init) => globalThis.fetch(url, init));
  }

  /**
   * Resolves to `read` of an answer that is a success. Throws KithError, or the reason of the signal.
   * @template T
   * @param {Outgoing} request
   * @param {Read<T>} read what is taken of it: all, unless it keeps the patience
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
        // A token is for one service.
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
    // What refuses such a header would repeat it.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw new KithError('INVALID_ARGUMENT', 'token must be an API token: svc_ and what follows it');
    return token;
  }
}

/** A time that ends, or a signal, whichever comes first. */
export class Patience {
  #controller = new AbortController();
  #signal;
  #limitMs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  isOver = false;
  /** Whether something goes on under it when its request is answered. */
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

  /** Begins the time anew. */
  again() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#expire, this.#limitMs);
  }

  /** From here on there is the signal alone, unless the time begins anew. */
  keep() {
    this.isKept = true;
    clearTimeout(this.#timer);
  }

  end() {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#follow);
  }

  /** Ends what goes on under it. */
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
    // Told below.
  }
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!url || !isPlain)
    throw new KithError('INVALID_ARGUMENT', 'baseUrl must look like https://crm.example or http://127.0.0.1:3000');
  return url.href.replace(/\/+$/, '');
}
