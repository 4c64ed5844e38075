/** Server-sent events as an async iterator that resumes after a lost connection. */
import { attempts, isPassing, wait, waitBefore } from './attempts.js';
import { KithError, unexpected } from './error.js';

/** The service sends something every 15 seconds. */
const longestSilenceMs = 45_000;
const longestWaitMs = 30_000;
/** Errors after which a stream can be resumed. */
const passing = ['CONFLICT', 'UNAVAILABLE', 'INTERNAL_ERROR'];

/**
 * @typedef {import('./outgoing.js').Outgoing} Outgoing
 * @typedef {{ reader: ReadableStreamDefaultReader<Uint8Array>, patience: import('./sender.js').Patience }} Connection
 * @typedef {{ id: string | undefined, event: string, data: string }} Sent
 */

/**
 * Yields the events. The first connection is retried like any request; one that is lost later is restored however long that
 * takes, unless it is refused with an error that a retry does not help.
 * @param {import('./sender.js').Sender} sender
 * @param {Outgoing} request
 * @param {{ maxRetries: number, maxWaitMs: number, signal?: AbortSignal | undefined, lastEventId?: string | undefined }} options
 */
export async function* eventsOf(sender, request, options) {
  let last = options.lastEventId;
  /** @type {import('./attempts.js').Patience} */
  let patience = options;
  for (;;) {
    const connection = await attempts(() => connect(sender, request, last, options.signal), true, patience);
    patience = { maxRetries: Infinity, maxWaitMs: Infinity, signal: options.signal };
    try {
      for await (const { id, event, data } of eventsIn(connection)) {
        if (event === 'end') {
          refuseForGood(data);
          break;
        }
        last = id ?? last;
        if (event !== 'ready') yield { id: last, event, data: JSON.parse(data) };
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof KithError) || !isPassing(error, true)) throw error;
    } finally {
      connection.patience.close();
    }
    await wait(Math.min(longestWaitMs, waitBefore(0, undefined)), options.signal);
  }
}

/**
 * @param {import('./sender.js').Sender} sender
 * @param {Outgoing} request
 * @param {string | undefined} last
 * @param {AbortSignal | undefined} signal
 */
async function connect(sender, request, last, signal) {
  const headers = { ...request.headers, accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
  /** @type {import('./sender.js').Read<Connection>} */
  const open = async (response, patience) => {
    if (!response.body) throw unexpected(response);
    patience.keep();
    return { reader: response.body.getReader(), patience };
  };
  return sender.send({ ...request, headers }, open, { signal, limitMs: longestSilenceMs });
}

/**
 * @param {Connection} connection
 * @returns {AsyncGenerator<Sent>}
 */
async function* eventsIn({ reader, patience }) {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    patience.again();
    const { done, value } = await readOf(reader);
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
async function readOf(reader) {
  try {
    return await reader.read();
  } catch (cause) {
    throw new KithError('CONNECTION_FAILED', 'The stream broke off', { cause });
  }
}

/**
 * Parses an event; undefined for comments and retry intervals.
 * @param {string} block
 * @returns {Sent | undefined}
 */
function eventOf(block) {
  /** @type {string[]} */
  const data = [];
  /** @type {string | undefined} */
  let id;
  let event = 'message';
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
    else if (name === 'event') event = value;
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') };
}

/**
 * Throws if the stream ended with an error that a retry does not help.
 * @param {string} data
 */
function refuseForGood(data) {
  const { code = 'UNAVAILABLE', message = '' } = JSON.parse(data);
  if (!passing.includes(code)) throw new KithError(code, message);
}
