/**
 * A store shared by processes: Redis or Valkey. Calls never wait for long. While it is known to be down it is not
 * called, and is retried in the background; users must cope without it.
 */
import type { Log } from '../lib/log.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';

export interface Store {
  /** The script's answer; undefined if it takes more than 150 milliseconds or fails. */
  run(keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  close(): void;
}

export interface StoreParts {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
  readonly url: string;
  /** The Lua script: everything that the store does. */
  readonly script: string;
  /** A run like the others, to test whether they would succeed. */
  readonly trial: { readonly keys: readonly string[]; readonly args: readonly (string | number)[] };
  readonly log: Log;
  /** Called initially and on each change; with the reason when it is down. */
  changed(isUp: boolean, reason?: string): void;
}

const answerMs = 150;
const connectMs = 1_000;
/** Before the first retry: a store that was slow once is soon used again. */
const firstPauseMs = 100;
/** Between retries, and between attempts to connect. */
const pauseMs = 500;

interface Client {
  readonly status: string;
  kithScript(...given: (string | number)[]): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close' | 'ready', listener: () => void): unknown;
  removeAllListeners(): unknown;
  disconnect(reconnect?: boolean): void;
}

async function connect(url: string, script: string): Promise<Client> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    // A command that cannot be sent now must not be sent later: it would count requests of another time.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Far longer than any caller waits: releases commands that are still open.
    commandTimeout: 10 * answerMs,
    connectTimeout: connectMs,
    disconnectTimeout: answerMs,
    // The trial is a better check than the client's own.
    enableReadyCheck: false,
    retryStrategy: () => pauseMs,
    reconnectOnError: () => false,
    // Older servers, and some proxies, know no other protocol.
    protocol: 2,
    scripts: { kithScript: { lua: script } },
  });
  // The client's types lack the script.
  return client as unknown as Client;
}

/** Resolves when it is known whether the store answers: a service starts with or without it. */
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
      // A connection to a vanished server would never notice.
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

/**
 * Rejects after the time limit. Answers that arrived while this process was busy count as in time, since they are
 * read first.
 */
function inTime(answer: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${answerMs} ms`));
    const timer = setTimeout(() => setImmediate(late), answerMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
