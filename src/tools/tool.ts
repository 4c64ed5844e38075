/** What a tool is: a name under which an agent finds some operations, and the way from its arguments to their input. */
import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '../lib/json.ts';
import type { Answer, JsonText, Operation } from '../operations/door/operation.ts';

/** What performs operations in the session of whoever calls the tool. */
export interface ToolCaller {
  /**
   * As the door does it, which calls `input` when the caller may use the operation. `mostBytes` are those of records that the
   * answer may have: the context of the request carries it. Throws KithError, also what `input` throws.
   */
  perform<Result extends Answer>(
    operation: Operation<TSchema, Result>,
    input: () => JsonObject,
    mostBytes?: number,
  ): Promise<Result>;
}

/** JSON text as an operation gives it, or a value that becomes JSON: always an object. */
export type ToolResult = JsonText | object;

/** What the protocol tells of a tool's effect. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** As it is shown, complete in itself. What `run` takes is more lenient. */
  readonly input: TSchema;
  readonly output: TSchema;
  readonly annotations: ToolHints;
  /** Those that it performs, by its action, or the name of the one that it is without actions. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Throws KithError: for arguments that are wrong, with what would be right, and whatever the operation throws. */
  run(caller: ToolCaller, args: Readonly<Record<string, Json>>): Promise<ToolResult>;
}
