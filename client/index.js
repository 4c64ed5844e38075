/** The client: a method for each operation of the service. Types are in `index.d.ts`. */
import { attempts } from './attempts.js';
import { KithError, unexpected } from './error.js';
import { operations } from './generated/operations.js';
import { givenTo, outgoingOf } from './outgoing.js';
import { pagesOf } from './pages.js';
import { Sender } from './sender.js';
import { eventsOf } from './stream.js';
import { tellingOf } from './telling.js';

export { KithError };

/** The client waits this much longer than the service's own limit, so that its answer arrives. */
const onTheWaySeconds = 20;

/**
 * @typedef {import('./outgoing.js').Operation} Operation
 * @typedef {import('./outgoing.js').Given} Given
 * @typedef {import('./outgoing.js').Outgoing} Outgoing
 * @typedef {import('./index.js').AnyOptions} Options
 * @typedef {import('./sender.js').Read<unknown>} Read
 */

/**
 * Creates a client of the service at `baseUrl` that authenticates with `token`. Throws INVALID_ARGUMENT for an invalid address.
 * @param {import('./index.js').ClientSettings} settings
 */
export function createClient(settings) {
  const courier = new Courier(settings);
  const groups = Object.entries(operations).map(([group, methods]) => [
    group,
    Object.fromEntries(Object.entries(methods).flatMap(([name, operation]) => methodsOf(courier, name, operation))),
  ]);
  return Object.fromEntries(groups);
}

/**
 * A method and its variants, with their names.
 * @param {Courier} courier
 * @param {string} name
 * @param {Operation} operation
 * @returns {[string, (...values: unknown[]) => unknown][]}
 */
function methodsOf(courier, name, operation) {
  const { isStream, download, paging, takesFile } = operation;
  if (isStream) return [[name, (...values) => courier.listen(operation, values)]];
  /** @type {[string, (...values: unknown[]) => unknown][]} */
  const methods = [[name, (...values) => courier.ask(operation, values, download === 'always' ? asIs : json)]];
  if (download === 'also') methods.push([`${name}File`, (...values) => courier.ask(operation, values, asIs)]);
  if (paging) methods.push([`${name}All`, (...values) => courier.pages(operation, paging, values)]);
  if (takesFile) methods.push([`${name}File`, (...values) => courier.askWithFile(operation, values)]);
  return methods;
}

/** Sends calls of methods to the service and returns the answers. */
class Courier {
  #sender;
  #settings;

  /** @param {import('./index.js').ClientSettings} settings */
  constructor(settings) {
    this.#sender = new Sender(settings);
    this.#settings = settings;
  }

  /**
   * @param {Operation} operation
   * @param {unknown[]} values
   * @param {Read} read
   */
  ask(operation, values, read) {
    return answered(async () => {
      const given = this.#given(operation, values);
      return this.#answer(outgoingOf(operation, given), read, given.options);
    });
  }

  /**
   * Sends a file, which is the argument between the path parameters and the query.
   * @param {Operation} operation
   * @param {unknown[]} values
   */
  askWithFile(operation, values) {
    const asked = { ...operation, query: true };
    return answered(async () => {
      const { body: file, ...given } = this.#given(asked, values);
      const { type } = given.options;
      if (!type) throw new KithError('INVALID_ARGUMENT', 'type must say what the file is: text/csv, for example');
      const request = outgoingOf(asked, given, { type, bytes: /** @type {BodyInit} */ (file) });
      return this.#answer(request, json, given.options);
    });
  }

  /**
   * @param {Operation} operation
   * @param {import('./outgoing.js').Paging} paging
   * @param {unknown[]} values
   */
  pages(operation, paging, values) {
    return pagesOf(paging, async (behind) => {
      const given = this.#given(operation, values);
      const request = outgoingOf(operation, { ...given, query: { ...given.query, ...behind } });
      const { data } = await this.#answer(request, json, given.options);
      return /** @type {Record<string, unknown>} */ (data);
    });
  }

  /**
   * @param {Operation} operation
   * @param {unknown[]} values
   */
  async *listen(operation, values) {
    const given = this.#given(operation, values);
    const { signal, lastEventId } = given.options;
    yield* eventsOf(this.#sender, outgoingOf(operation, given), {
      ...this.#patience(given.options),
      signal,
      lastEventId,
    });
  }

  /**
   * @param {Operation} operation
   * @param {unknown[]} values
   */
  #given(operation, values) {
    const given = givenTo(operation, values);
    const { timeZone } = this.#settings;
    return timeZone === undefined ? given : { ...given, options: { timeZone, ...given.options } };
  }

  /** @param {Options} options */
  #patience({ maxRetries, maxWaitMs, signal }) {
    const settings = this.#settings;
    return {
      maxRetries: maxRetries ?? settings.maxRetries ?? 3,
      maxWaitMs: maxWaitMs ?? settings.maxWaitMs ?? 60_000,
      signal,
    };
  }

  /**
   * @param {Outgoing} request
   * @param {Read} read
   * @param {Options} options
   */
  #answer(request, read, options) {
    const { signal, timeoutMs = this.#settings.timeoutMs ?? (request.seconds + onTheWaySeconds) * 1000 } = options;
    const attempt = () =>
      this.#sender.send(
        request,
        async (response, patience) => ({ data: await read(response, patience), ...tellingOf(response) }),
        { signal, limitMs: timeoutMs },
      );
    return attempts(attempt, request.mayRepeat, this.#patience(options));
  }
}

/** @type {Read} */
async function json(response) {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(response);
  }
}

/**
 * The raw response: the caller reads it without a time limit.
 * @type {Read}
 */
async function asIs(response, patience) {
  patience.keep();
  return response;
}

/**
 * A promise of the answer's body, with `withResponse` for the whole answer.
 * @param {() => Promise<{ data: unknown }>} ask
 */
function answered(ask) {
  const answer = ask();
  const data = () => answer.then((whole) => whole.data);
  return {
    /** @type {Promise<unknown>['then']} */
    // oxlint-disable-next-line unicorn/no-thenable -- it stands for a promise
    then: (done, failed) => data().then(done, failed),
    /** @type {Promise<unknown>['catch']} */
    catch: (failed) => data().catch(failed),
    /** @type {Promise<unknown>['finally']} */
    finally: (done) => data().finally(done),
    withResponse: () => answer,
    [Symbol.toStringTag]: 'Promise',
  };
}
