/** The handwritten types of the client; those of operations are in `generated/types.d.ts`. */
import type { FieldError, FileType, Operations, ServiceErrorCode } from './generated/types.js';

export type * from './generated/types.js';

/** The three types of an object's records; `kith types` prints them for all objects of a workspace. */
export interface ObjectTypes {
  record: object;
  create: object;
  update: object;
}

/** The types for a workspace without generated types. */
export interface AnyObjects {
  [name: string]: {
    // oxlint-disable-next-line typescript/no-explicit-any -- what a field holds, its workspace says
    record: { id: string; [field: string]: any };
    create: Record<string, unknown>;
    update: Record<string, unknown>;
  };
}

export type ObjectName<O> = keyof O & string;

export interface ClientSettings {
  /** The service's address, for example `https://crm.example`. */
  readonly baseUrl: string;
  /**
   * The API token, or a function that returns the current one before each request; null on a page of the service itself, where
   * the session's cookie is used.
   */
  readonly token: string | (() => string | Promise<string>) | null;
  /** How often a request that may succeed later is retried; defaults to 3. */
  readonly maxRetries?: number | undefined;
  /** The longest wait before a retry, one minute by default; a longer `Retry-After` fails at once. */
  readonly maxWaitMs?: number | undefined;
  /** The time limit of one attempt; defaults to 20 seconds more than the service allows for the operation. */
  readonly timeoutMs?: number | undefined;
  /** The time zone of all requests, an IANA name: where a day begins. */
  readonly timeZone?: string | undefined;
  /** Headers of all requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Options of every call. */
export interface ReadOptions {
  /** Aborts the request, its retries and the waits between them. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly maxWaitMs?: number | undefined;
  readonly timeZone?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WriteOptions extends ReadOptions {
  /** A UUID that you generate; writes with the same one are undone together. */
  readonly changeSet?: string | undefined;
}

export interface KeyOptions extends WriteOptions {
  /** By default the client makes one for each call; set your own if the program may be restarted. */
  readonly idempotencyKey?: string | undefined;
}

export interface Trial {
  /** Returns the usual answer but writes nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface IfMatch {
  /** The `etag` of the state that the record must be in. */
  readonly ifMatch?: string | undefined;
}

export interface FileOptions {
  /** The file's type. */
  readonly type: FileType;
}

export interface StreamOptions extends ReadOptions {
  /** Continues after this event. */
  readonly lastEventId?: string | undefined;
}

/** The options of all calls together. */
export interface AnyOptions extends KeyOptions, Trial, IfMatch, Partial<FileOptions>, StreamOptions {}

/** Information from an answer's headers. */
export interface Telling {
  readonly status: number;
  readonly headers: Headers;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  readonly etag: string | undefined;
  readonly changeSet: string | undefined;
  /** Whether it is the stored answer of an earlier request with the same key. */
  readonly isReplayed: boolean;
  readonly isDryRun: boolean;
  readonly total: number | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly warnings: readonly string[];
}

export interface RateLimit {
  readonly policy: string;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: Date;
}

export interface Answer<T> extends Telling {
  readonly data: T;
}

/** A promise of the answer's body. */
export interface Answered<T> extends Promise<T> {
  /** Resolves to the body and the information from the headers. */
  withResponse(): Promise<Answer<T>>;
}

/** A list over all of its pages; each loop starts at the first one. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** Page by page. */
  pages(): AsyncIterable<Page>;
}

export interface StreamedEvent<T> {
  /** The position to continue from: `lastEventId` of a later stream. */
  readonly id: string;
  readonly event: string;
  readonly data: T;
}

/** Events as they arrive; a lost connection is restored right after the last event. */
export type EventStream<T> = AsyncGenerator<StreamedEvent<T>, void, undefined>;

/** The codes of the service, and those of the client itself. */
export type KithErrorCode =
  | ServiceErrorCode
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'UNEXPECTED_ANSWER'
  | 'INVALID_ARGUMENT';

/** A request that did not succeed. */
export class KithError extends Error {
  private constructor();
  readonly name: 'KithError';
  /** A newer service may have further ones. */
  readonly code: KithErrorCode;
  /** The errors of single fields. */
  readonly fieldErrors: readonly FieldError[];
  /** The valid values. */
  readonly availableValues: readonly string[];
  /** The body of the error's answer. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly warnings: readonly string[];
}

export type KithClient<O extends Record<keyof O, ObjectTypes> = AnyObjects> = Operations<O>;

/** Creates a client of the service at `baseUrl` that authenticates with `token`; `O` is `Objects` from the output of `kith types`. */
export function createClient<O extends Record<keyof O, ObjectTypes> = AnyObjects>(
  settings: ClientSettings,
): KithClient<O>;
