/** A tool: a named group of operations for agents, and the mapping from its arguments to their inputs. */
import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '../lib/json.ts';
import type { Answer, JsonText, Operation } from '../operations/door/operation.ts';

/** Performs operations for the caller of a tool. */
export interface ToolCaller {
  /**
   * Performs as the door does, which calls `input` once the caller may use the operation. `mostBytes` limits the bytes of
   * records in the answer. Throws KithError, also what `input` throws.
   */
  perform<Result extends Answer>(
    operation: Operation<TSchema, Result>,
    input: () => JsonObject,
    mostBytes?: number,
  ): Promise<Result>;
}

/** The answer of an operation, or a value to be encoded: always an object. */
export type ToolResult = JsonText | object;

/** The effect of a tool, as the protocol describes it. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A read that shows what an action would affect. */
export interface Look {
  readonly operation: Operation;
  readonly input: JsonObject;
}

/** One action of a tool. */
export interface ToolAction {
  readonly operation: Operation;
  /** Required arguments. */
  readonly needs: readonly string[];
  /** Optional arguments. */
  readonly takes: readonly string[];
  /** For actions that delete or change many records: the read that shows a person what is affected; undefined if the arguments show it. */
  readonly affects?: (args: Readonly<Record<string, Json>>) => Look | undefined;
  /** List arguments that the operation takes as comma-separated texts. */
  readonly joins: readonly string[];
  /** The operation's input for the arguments. */
  inputOf(args: Readonly<Record<string, Json>>): JsonObject;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The complete schema, as shown. `run` is more lenient. */
  readonly input: TSchema;
  readonly output: TSchema;
  readonly annotations: ToolHints;
  /** The actions by name; a tool without `action` argument uses names of its own. */
  readonly actions: ReadonlyMap<string, ToolAction>;
  /** Throws KithError: argument errors with an example, and what the operation throws. */
  run(caller: ToolCaller, args: Readonly<Record<string, Json>>): Promise<ToolResult>;
}
