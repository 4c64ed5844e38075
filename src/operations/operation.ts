/** What Kith can do, each once. Routes, tools and the command line are tables over these. */
import type { Static, TSchema } from 'typebox';
import type { Call } from '../access/call.ts';
import type { DescribedOperation } from '../describe/endpoint.ts';

/** What a surface may tell of a list beside the answer, in headers of its own. */
export interface Page {
  readonly total: number;
  readonly nextCursor?: string;
}

/** JSON text that is ready to be sent, made from the database's text without objects between. */
export class JsonText {
  readonly text: string;
  /** The tag of the record's state, with its quotes. */
  readonly etag: string | undefined;
  readonly page: Page | undefined;
  constructor(text: string, etag?: string, page?: Page) {
    this.text = text;
    this.etag = etag;
    this.page = page;
  }
}

/** A page of which the items are the text of a JSON array already. */
export function pageText(page: Page & { readonly data: string }): JsonText {
  const { data, total, nextCursor } = page;
  const next = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return new JsonText(`{"data":${data},"total":${total}${next}}`, undefined, page);
}

/** A body that is not JSON, sent as it is made. */
export class Download {
  readonly contentType: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<string>;
  constructor(contentType: string, fileName: string, chunks: AsyncIterable<string>) {
    this.contentType = contentType;
    this.fileName = fileName;
    this.chunks = chunks;
  }
}

export type Answer = object | JsonText | Download;

/** `global` counts against api:global alone; the others have a budget of their own beside it. [spec: Rate limits] */
export type Cost = 'global' | 'expensive' | 'bulk';

export interface Operation<Input extends TSchema = TSchema, Result extends Answer = Answer> extends DescribedOperation {
  readonly input: Input;
  readonly cost: Cost;
  run(call: Call, input: Static<Input>): Promise<Result>;
}

export function defineOperation<const Input extends TSchema, Result extends Answer>(
  operation: Operation<Input, Result>,
): Operation<Input, Result> {
  return operation;
}
