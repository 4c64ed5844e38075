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

/** An operation that reads, and what it is given. */
export interface Look {
  readonly operation: Operation;
  readonly input: JsonObject;
}

/** One thing that a tool does. */
export interface ToolAction {
  readonly operation: Operation;
  /** Arguments that it cannot do without. */
  readonly needs: readonly string[];
  /** Others that it takes. */
  readonly takes: readonly string[];
  /**
   * Of one that takes away, or changes many at once: what a person looks at before it is done, by its arguments; undefined
   * where those say it all.
   */
  readonly affects?: (args: Readonly<Record<string, Json>>) => Look | undefined;
  /** Lists among them that the operation takes as texts with commas between. */
  readonly joins: readonly string[];
  /** The input of the operation, by what was given for the arguments. */
  inputOf(args: Readonly<Record<string, Json>>): JsonObject;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** As it is shown, complete in itself. What `run` takes is more lenient. */
  readonly input: TSchema;
  readonly output: TSchema;
  readonly annotations: ToolHints;
  /** What it does: by `action`, or by a name of its own where it has no such argument. */
  readonly actions: ReadonlyMap<string, ToolAction>;
  /** Throws KithError: for arguments that are wrong, with what would be right, and whatever the operation throws. */
  run(caller: ToolCaller, args: Readonly<Record<string, Json>>): Promise<ToolResult>;
}
