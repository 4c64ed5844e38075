/** Derives the tool call for an operation's input from the tools' tables; used by the reference page. */
import { isObject, type Json } from '../lib/json.ts';
import type { Tool, ToolAction } from './tool.ts';
import { tools } from './tools.ts';

/** A tool call that performs an operation. */
export interface OperationCall {
  readonly tool: string;
  /** The value of `action`; absent for a tool without it. */
  readonly action?: string;
  /** Input values that distinguish this call from others of the same operation. */
  readonly only?: Readonly<Record<string, Json>>;
  readonly needs: readonly string[];
  /** For each argument, the path of the operation's input that it sets. */
  readonly from: Readonly<Record<string, readonly string[]>>;
  /** List arguments that the operation takes as comma-separated text. */
  readonly joins?: readonly string[];
}

/** The tool calls by operation id; operations without a tool are missing. */
export function callsByOperation(): ReadonlyMap<string, readonly OperationCall[]> {
  const calls = tools.flatMap((tool) =>
    [...tool.actions].map(([name, action]) => ({ id: action.operation.id, call: callOf(tool, name, action) })),
  );
  return new Map([...Map.groupBy(calls, ({ id }) => id)].map(([id, members]) => [id, members.map(({ call }) => call)]));
}

function callOf(tool: Tool, name: string, action: ToolAction): OperationCall {
  const { needs, takes, joins } = action;
  const own = [...needs, ...takes];
  // Each argument is set to its own name: where that appears in the input is where it goes.
  const marks = new Map(own.map((argument) => [`<${argument}>`, argument]));
  const from: Record<string, readonly string[]> = {};
  const only: Record<string, Json> = {};
  for (const [path, leaf] of leavesOf(
    action.inputOf(Object.fromEntries([...marks].map(([mark, key]) => [key, mark]))),
  )) {
    const argument = typeof leaf === 'string' ? marks.get(leaf) : undefined;
    if (argument !== undefined) from[argument] = path;
    else if (path.length === 1) only[String(path)] = leaf;
  }
  return {
    tool: tool.name,
    ...(hasAction(tool) && !own.includes('action') && { action: name }),
    ...(Object.keys(only).length > 0 && { only }),
    needs,
    from,
    ...(joins.length > 0 && { joins }),
  };
}

function hasAction({ input }: Tool): boolean {
  return 'properties' in input && isObject(input.properties) && 'action' in input.properties;
}

/** The leaves of a value with their paths. */
function leavesOf(value: Json, path: readonly string[] = []): readonly (readonly [readonly string[], Json])[] {
  if (Array.isArray(value) || isObject(value))
    return Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]));
  return [[path, value]];
}
