/** The types of the client that the service does not say; those of its operations are in `generated/types.d.ts`. */
import type { FieldError, FileType, Operations, ServiceErrorCode } from './generated/types.js';

export type * from './generated/types.js';

/** The three shapes of an object's records; `kith types` prints them for all objects of a workspace. */
export interface ObjectTypes {
  record: object;
  create: object;
  update: object;
}

/** A workspace of which nothing is known. */
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
  /** Where the service is, for example `https://crm.example`. */
  readonly baseUrl: string;
  /** The API token, or what gives the present one before each request; null on a page of the service itself, whose session goes along. */
  readonly token: string | (() => string | Promise<string>) | null;
  /** How often a request is sent again that may succeed later; 3 unless told. */
  readonly maxRetries?: number | undefined;
  /** How long it waits before at most; a longer `Retry-After` is an error at once. A minute unless told. */
  readonly maxWaitMs?: number | undefined;
  /** How long one attempt may take; 20 seconds more than the service takes for the operation unless told. */
  readonly timeoutMs?: number | undefined;
  /** Where a day begins for all requests, an IANA name. */
  readonly timeZone?: string | undefined;
  /** Headers of all requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** What every call takes after its arguments. */
export interface ReadOptions {
  /** Ends the request, its repeats and the waits between. */
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
  /** The client makes one for each call; give your own where the program may be started anew. */
  readonly idempotencyKey?: string | undefined;
}

export interface Trial {
  /** Answer as usual, and keep nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface IfMatch {
  /** The `etag` of the state that the record has to be in. */
  readonly ifMatch?: string | undefined;
}

export interface FileOptions {
  /** What the file is. */
  readonly type: FileType;
}

export interface StreamOptions extends ReadOptions {
  /** Go on behind this event. */
  readonly lastEventId?: string | undefined;
}

/** All options of all calls. */
export interface AnyOptions extends KeyOptions, Trial, IfMatch, Partial<FileOptions>, StreamOptions {}

/** What the headers of an answer tell. */
export interface Telling {
  readonly status: number;
  readonly headers: Headers;
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  readonly etag: string | undefined;
  readonly changeSet: string | undefined;
  /** Whether it is the answer of an earlier request with the same key. */
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
  /** The body with what the headers tell. */
  withResponse(): Promise<Answer<T>>;
}

/** A list over all of its pages; each loop begins anew. */
export interface Pages<Item, Page> extends AsyncIterable<Item> {
  /** Page by page. */
  pages(): AsyncIterable<Page>;
}

export interface StreamedEvent<T> {
  /** From where to go on: `lastEventId` of a later stream. */
  readonly id: string;
  readonly event: string;
  readonly data: T;
}

/** Events as they come; a connection that is lost is made again, right behind the last event. */
export type EventStream<T> = AsyncGenerator<StreamedEvent<T>, void, undefined>;

/** What an error is called: by the service, or by the client itself. */
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
  /** What is wrong with which field. */
  readonly fieldErrors: readonly FieldError[];
  /** What there is instead. */
  readonly availableValues: readonly string[];
  /** The error as it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Undefined where nothing was answered. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly warnings: readonly string[];
}

export type KithClient<O extends Record<keyof O, ObjectTypes> = AnyObjects> = Operations<O>;

/** A client of the service at `baseUrl`, in the name of `token`; `O` is `Objects` of what `kith types` prints. */
export function createClient<O extends Record<keyof O, ObjectTypes> = AnyObjects>(
  settings: ClientSettings,
): KithClient<O>;
