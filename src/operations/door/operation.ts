/** What Kith can do, each once. Routes, tools and the command line are tables over these. */
import type { Static, TObject, TSchema, TString } from 'typebox';
import type { Call, CallOrigin } from '../../access/call.ts';
import type { DescribedOperation, Need } from '../../describe/endpoint.ts';
import type { KithError } from '../../errors.ts';
import { together, type LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import type { EventStream } from './event-stream.ts';
import type { Budget, Cost, OwnPolicy, Sender } from './budgets.ts';

/** What a surface may tell of a list beside the answer, in headers of its own. */
export interface Page {
  readonly total: number;
  /** How many of them are in the answer, where it does not say so itself. */
  readonly shown?: number;
  readonly nextCursor?: string;
  /** Where it ends before its limit, since it would be too large. */
  readonly isCut?: true;
}

/** JSON text that is ready to be sent, made from the database's text without objects between. */
export class JsonText {
  readonly text: LongText;
  /** The tag of the record's state, with its quotes. */
  readonly etag: string | undefined;
  readonly page: Page | undefined;
  constructor(text: LongText, etag?: string, page?: Page) {
    this.text = text;
    this.etag = etag;
    this.page = page;
  }
}

/** A page of which the items are the text of a JSON array already; `beside` has further members of the answer. */
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

/** A body that is not JSON, sent as it is made. */
export class Download {
  readonly contentType: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  readonly page: Page | undefined;
  /** `chunks` have to be begun: what they hold is freed at their end. */
  constructor(contentType: string, fileName: string, chunks: Download['chunks'], page?: Page) {
    this.contentType = contentType;
    this.fileName = fileName;
    this.chunks = chunks;
    this.page = page;
  }

  /** The same, which calls `end` when all is sent or nobody reads on. */
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
  /** Budgets of its own, in the order in which they deny it: beside that of its cost, and beside what the surface counts. */
  readonly policies?: readonly OwnPolicy[];
  /** What history keeps as the source of its writes; how the call came in unless told. What the demo does is the demo's. */
  readonly source?: CallOrigin;
  /** It goes on with another model than it began with: what its key is for is kept apart from its work, which is no one transaction. */
  readonly changesModel?: true;
  /** What is told where the database refuses what it writes: WRITE_FAILED unless told. */
  refused?(cause: unknown): KithError;
  /** `object` is the one that the input names, or that it `manages`, where `needs` says which right on it the caller must have. */
  run(call: Call, input: Static<Input>, object: ObjectDef): Promise<Result>;
}

/** What an operation without a caller is given. No organization is at hand before it has found out which. */
export interface PublicCall extends Pick<Call, 'signal' | 'now' | 'request' | 'warn' | 'report'> {
  readonly sender: Sender;
  /** The ways in. Throws an Error where the process has none. */
  readonly signIn: SignIn;
}

/** An operation that anyone may call, without a token. */
export interface PublicOperation<
  Input extends TSchema = TSchema,
  Result extends Answer = Answer,
> extends DescribedOperation {
  readonly isPublic: true;
  readonly input: Input;
  /** It has the time of `global`, and no budget but the one below. */
  readonly cost: 'global';
  /** What keeps anyone from calling it too often; the surface counts the address against api:ip beside it. */
  readonly budget: Budget<[Sender, Static<Input>]>;
  run(call: PublicCall, input: Static<Input>): Promise<Result>;
}

/** An operation on nothing, or on what it finds by itself. */
export function defineOperation<const Input extends TSchema, Result extends Answer>(
  operation: Operation<Input, Result> & {
    readonly needs?: undefined;
    run(call: Call, input: Static<Input>): Promise<Result>;
  },
): Operation<Input, Result> {
  return operation;
}

/** An operation on records of the object that its input names. */
export function defineRecordOperation<const Input extends TObject<{ object: TString }>, Result extends Answer>(
  operation: Operation<Input, Result> & { readonly needs: Need },
): Operation<Input, Result> {
  return operation;
}

/** An operation on records of the managed object that it says. */
export function defineManagedOperation<const Input extends TSchema, Result extends Answer>(
  operation: Operation<Input, Result> & { readonly needs: Need; readonly manages: string },
): Operation<Input, Result> {
  return operation;
}

/** An operation that takes no caller. */
export function definePublicOperation<const Input extends TSchema, Result extends Answer>(
  operation: Omit<PublicOperation<Input, Result>, 'isPublic' | 'cost'>,
): PublicOperation<Input, Result> {
  return { ...operation, isPublic: true, cost: 'global' };
}
