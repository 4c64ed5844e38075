/** Defines operations: each is written once; routes, tools and commands are tables over them. */
import type { Static, TObject, TSchema, TString } from 'typebox';
import type { Call, CallOrigin } from '../../access/call.ts';
import type { DescribedOperation, Need } from '../../describe/endpoint.ts';
import type { KithError } from '../../errors.ts';
import { together, type LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import type { EventStream } from './event-stream.ts';
import type { Budget, Cost, OwnPolicy, Sender } from './budgets.ts';

/** Paging data that a surface may send in headers. */
export interface Page {
  readonly total: number;
  /** The number of items in the answer, if the answer does not state it. */
  readonly shown?: number;
  readonly nextCursor?: string;
  /** Set if the page ended early because of its size. */
  readonly isCut?: true;
}

/** JSON text that is ready to be sent, built from the database's text without parsing it. */
export class JsonText {
  readonly text: LongText;
  /** The record's ETag, with quotes. */
  readonly etag: string | undefined;
  readonly page: Page | undefined;
  constructor(text: LongText, etag?: string, page?: Page) {
    this.text = text;
    this.etag = etag;
    this.page = page;
  }
}

/** A page whose items are already the text of a JSON array; `beside` has further members of the answer. */
export function pageText(page: Page & { readonly data: LongText }, beside: object = {}): JsonText {
  const { data, total, nextCursor, isCut } = page;
  const rest = JSON.stringify({
    total,
    ...(nextCursor !== undefined && { nextCursor }),
    ...(isCut && { truncated: true }),
    ...beside,
  });
  return new JsonText(together('{"data":', data, `,${rest.slice(1)}`), undefined, page);
}

/** A streamed body that is not JSON. */
export class Download {
  readonly contentType: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  readonly page: Page | undefined;
  /** `chunks` must be started by the receiver: their resources are freed at their end. */
  constructor(contentType: string, fileName: string, chunks: Download['chunks'], page?: Page) {
    this.contentType = contentType;
    this.fileName = fileName;
    this.chunks = chunks;
    this.page = page;
  }

  /** The same download; `end` is called when everything is sent or the reader has stopped. */
  until(end: () => void): Download {
    return new Download(this.contentType, this.fileName, ending(this.chunks, end), this.page);
  }
}

async function* ending<Chunk>(chunks: AsyncIterable<Chunk>, end: () => void): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } finally {
    end();
  }
}

export type Answer = object | JsonText | Download | EventStream;

export interface Operation<Input extends TSchema = TSchema, Result extends Answer = Answer> extends DescribedOperation {
  readonly isPublic?: undefined;
  readonly input: Input;
  readonly cost: Cost;
  /** The operation's own policies, in the order of checking, besides those of its cost and its surface. */
  readonly policies?: readonly OwnPolicy[];
  /** The origin that history records; defaults to how the call came in. Calls of the demo stay the demo's. */
  readonly source?: CallOrigin;
  /** The operation changes the model and commits several times: its idempotency key is stored apart from its work. */
  readonly changesModel?: true;
  /** The error if the database refuses the write; defaults to WRITE_FAILED. */
  refused?(cause: unknown): KithError;
  /** Runs the operation. `object` is the one that the input names or that it `manages`, if the operation has `needs`. */
  run(call: Call, input: Static<Input>, object: ObjectDef): Promise<Result>;
}

/** The call of an operation without a caller; the operation itself finds out the organization, if any. */
export interface PublicCall extends Pick<Call, 'signal' | 'now' | 'request' | 'warn' | 'report'> {
  readonly sender: Sender;
  /** Sign-in. Throws an Error in a process without it. */
  readonly signIn: SignIn;
}

/** An operation that anyone may call, without a token. */
export interface PublicOperation<
  Input extends TSchema = TSchema,
  Result extends Answer = Answer,
> extends DescribedOperation {
  readonly isPublic: true;
  readonly input: Input;
  /** It has the deadline of `global` and counts against `budget` only. */
  readonly cost: 'global';
  /** Limits how often anyone may call it, besides api:ip, which the surface counts. */
  readonly budget: Budget<[Sender, Static<Input>]>;
  run(call: PublicCall, input: Static<Input>): Promise<Result>;
}

/** Defines an operation that does not work on one object's records. */
export function defineOperation<const Input extends TSchema, Result extends Answer>(
  operation: Operation<Input, Result> & {
    readonly needs?: undefined;
    run(call: Call, input: Static<Input>): Promise<Result>;
  },
): Operation<Input, Result> {
  return operation;
}

/** Defines an operation on records of the object that its input names. */
export function defineRecordOperation<const Input extends TObject<{ object: TString }>, Result extends Answer>(
  operation: Operation<Input, Result> & { readonly needs: Need },
): Operation<Input, Result> {
  return operation;
}

/** Defines an operation on records of a fixed managed object. */
export function defineManagedOperation<const Input extends TSchema, Result extends Answer>(
  operation: Operation<Input, Result> & { readonly needs: Need; readonly manages: string },
): Operation<Input, Result> {
  return operation;
}

/** Defines an operation without a caller. */
export function definePublicOperation<const Input extends TSchema, Result extends Answer>(
  operation: Omit<PublicOperation<Input, Result>, 'isPublic' | 'cost'>,
): PublicOperation<Input, Result> {
  return { ...operation, isPublic: true, cost: 'global' };
}
