/**
 * A store that processes share: Redis or Valkey. It is never waited for longer than a moment. While it is known not to answer
 * nobody asks it, and it is tried beside; so whoever uses it has to get along without.
 */
import type { Log } from '../lib/log.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';

export interface Store {
  /** What the script answers; undefined where it does not, in 150 milliseconds at most. */
  run(keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  close(): void;
}

export interface StoreParts {
  /** Of the form `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string;
  /** Lua: the whole of what the store does. */
  readonly script: string;
  /** A run that does what the others do, to tell whether they would succeed. */
  readonly trial: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] };
  readonly log: Log;
  /** Told of each change, and at the beginning; with the reason where it does not answer. */
  changed(isUp: boolean, reason?: string): void;
}

const answerMs = 150;
const connectMs = 1_000;
/** Before the first trial: a store that was slow once is not done without for longer. */
const firstPauseMs = 100;
/** Between two trials, and between two attempts to connect. */
const pauseMs = 500;

interface Client {
  readonly status: string;
  kithScript(...given: (string | number)[]): Promise<unknown>;
  on(event: 'error', told: (error: Error) => void): unknown;
  on(event: 'close' | 'ready', told: () => void): unknown;
  removeAllListeners(): unknown;
  disconnect(reconnect?: boolean): void;
}

async function connect(url: string, script: string): Promise<Client> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    // What cannot be sent now is not sent later: it would count requests of another time.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Far beyond the moment that anybody waits: what is still open then is forgotten.
    commandTimeout: 10 * answerMs,
    connectTimeout: connectMs,
    disconnectTimeout: answerMs,
    // The trial says more than its own check.
    enableReadyCheck: false,
    retryStrategy: () => pauseMs,
    reconnectOnError: () => false,
    // Older servers, and what stands in front of some, know no other.
    protocol: 2,
    scripts: { kithScript: { lua: script } },
  });
  // Its types do not know of the script.
  return client as unknown as Client;
}

/** Resolves when it is known whether it answers: a service begins with or without it. */
export async function openStore({ url, script, trial, log, changed }: StoreParts): Promise<Store> {
  const client = await connect(url, script);
  const call: Store['run'] = (keys, args) => inTime(client.kithScript(keys.length, ...keys, ...args));
  let isUp: boolean | undefined;
  let lastError = '';
  let next: NodeJS.Timeout | undefined;
  const known = Promise.withResolvers<void>();

  function turned(up: boolean): void {
    if (isUp === up) return;
    if (!up)
      log.warn({ reason: lastError }, 'The store at REDIS_URL does not answer: what it would count is let through');
    else if (isUp === false) log.info({}, 'The store at REDIS_URL answers again');
    isUp = up;
    changed(up, up ? undefined : lastError);
    known.resolve();
  }

  function failed(error: unknown): void {
    lastError = messageOf(error) || String(codeOf(error));
    next ??= setTimeout(() => void attempt(), isUp ? firstPauseMs : pauseMs).unref();
    turned(false);
  }

  async function attempt(): Promise<void> {
    clearTimeout(next);
    next = undefined;
    try {
      await call(trial.keys, trial.args);
      turned(true);
    } catch (error) {
      // A connection to a server that is gone without a word would never say so.
      if (client.status === 'ready') client.disconnect(true);
      failed(error);
    }
  }

  client.on('error', failed);
  client.on('close', () => failed(new Error('the connection was closed')));
  client.on('ready', () => void attempt());
  await known.promise;
  return {
    async run(keys, args) {
      if (!isUp) return undefined;
      try {
        return await call(keys, args);
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
    close() {
      client.removeAllListeners();
      client.on('error', () => {});
      clearTimeout(next);
      client.disconnect();
    },
  };
}

/** Rejects where it takes too long. What has come while this process was busy itself has come in time: it is read first. */
function inTime(answer: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${answerMs} ms`));
    const timer = setTimeout(() => setImmediate(late), answerMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
