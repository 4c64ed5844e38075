/** How what an operation is given is said as a call of a tool: read from the tools' own tables, backwards. */
import { isObject, type Json } from '../lib/json.ts';
import type { Tool, ToolAction } from './tool.ts';
import { tools } from './tools.ts';

/** A call by which an operation is done. */
export interface ToldCall {
  readonly tool: string;
  /** What its argument `action` says; absent of a tool without one. */
  readonly action?: string;
  /** What the input has for this call and no other of the operation. */
  readonly only?: Readonly<Record<string, Json>>;
  readonly needs: readonly string[];
  /** Arguments, by where the operation's input has what they say. */
  readonly from: Readonly<Record<string, readonly string[]>>;
  /** Arguments that are lists, of which the input is a text with commas between. */
  readonly joins?: readonly string[];
}

/** The calls by the id of the operation that they do; an operation that no tool does has none. */
export function toldCalls(): ReadonlyMap<string, readonly ToldCall[]> {
  const calls = tools.flatMap((tool) =>
    [...tool.actions].map(([name, action]) => ({ id: action.operation.id, call: toldCall(tool, name, action) })),
  );
  return new Map([...Map.groupBy(calls, ({ id }) => id)].map(([id, members]) => [id, members.map(({ call }) => call)]));
}

function toldCall(tool: Tool, name: string, action: ToolAction): ToldCall {
  const { needs, takes, joins } = action;
  const own = [...needs, ...takes];
  // Each argument says its own name: where that stands in the input is what the argument says.
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

/** What stands at the ends of a value, with the keys that lead there. */
function leavesOf(value: Json, path: readonly string[] = []): readonly (readonly [readonly string[], Json])[] {
  if (Array.isArray(value) || isObject(value))
    return Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]));
  return [[path, value]];
}
