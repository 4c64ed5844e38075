/** What a person is asked about before an agent does it: whatever surface it comes by, what is shown is read here, not told by the model. */
import { createHash } from 'node:crypto';
import { parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import { whole } from '../lib/long-text.ts';
import { JsonText, type Answer } from '../operations/door/operation.ts';
import type { Tool, ToolAction, ToolCaller } from './tool.ts';

type Args = Readonly<Record<string, Json>>;

/** Whether the call sends something that a preview shows before. */
export function isSend({ annotations, actions }: Tool, args: Args): boolean {
  return annotations.openWorldHint && args['action'] === 'send' && actions.has('preview');
}

/** What the call takes away, or changes in many records; undefined where nobody has to be asked. */
export function lossOf({ actions }: Tool, args: Args): ToolAction | undefined {
  const { action } = args;
  const meant = typeof action === 'string' ? actions.get(action) : undefined;
  // What lacks something is refused before anything is done; null and an empty text are values, too: they empty a field.
  const isWhole = meant?.needs.every((name) => Object.hasOwn(args, name));
  return meant?.affects && isWhole ? meant : undefined;
}

/** What there is before it is done. */
export interface Seen {
  /** Undefined where the arguments say it all. */
  readonly shown: JsonObject | undefined;
  /** Stands for the call and what it would find. */
  readonly digest: string;
}

/** Looks at what the call would take away. Throws what the look throws. */
export async function lookAt({ name }: Tool, { affects }: ToolAction, args: Args, caller: ToolCaller): Promise<Seen> {
  const look = affects?.(args);
  const { nextCursor: _next, ...shown } = look
    ? await valueOf(await caller.perform(look.operation, () => look.input))
    : {};
  const digest = createHash('sha256')
    .update(JSON.stringify([name, sorted(args), shown]))
    .digest('base64url');
  return { shown: look && shown, digest };
}

/** The arguments in one order, whatever order they came in. */
export function sorted(args: Args): readonly [string, Json][] {
  return Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What an operation or a tool answers, as JSON. */
export async function valueOf(result: Answer): Promise<JsonObject> {
  return parseJson(whole(result instanceof JsonText ? result.text : await writeJson(result))) as JsonObject;
}
