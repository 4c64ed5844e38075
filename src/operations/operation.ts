/** What Kith can do, each once. Routes, tools and the command line are tables over these. */
import type { Static, TSchema } from 'typebox';
import type { Call } from '../access/call.ts';

/** JSON text that is ready to be sent, made from the database's text without objects between. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
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

export interface Operation<Input extends TSchema = TSchema, Result extends Answer = Answer> {
  /** For example `records.list`. */
  readonly id: string;
  readonly summary: string;
  readonly input: Input;
  readonly mode: 'read' | 'write';
  readonly cost: Cost;
  /** Set where only admins may: how the refusal names it, for example `Importing records`. */
  readonly adminOnly?: string;
  run(call: Call, input: Static<Input>): Promise<Result>;
}

export function defineOperation<const Input extends TSchema, Result extends Answer>(
  operation: Operation<Input, Result>,
): Operation<Input, Result> {
  return operation;
}
