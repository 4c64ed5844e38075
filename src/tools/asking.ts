/** Which calls of agents need a person's consent. On every surface the effect is read here, not reported by the model. */
import { createHash } from 'node:crypto';
import { parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import { whole } from '../lib/long-text.ts';
import { JsonText, type Answer } from '../operations/door/operation.ts';
import type { Tool, ToolAction, ToolCaller } from './tool.ts';

type Args = Readonly<Record<string, Json>>;

/** Whether the call sends a message that has a preview. */
export function isSend({ annotations, actions }: Tool, args: Args): boolean {
  return annotations.openWorldHint && args['action'] === 'send' && actions.has('preview');
}

/** The action if it deletes something or changes many records; undefined if no consent is needed. */
export function lossOf({ actions }: Tool, args: Args): ToolAction | undefined {
  const { action } = args;
  const meant = typeof action === 'string' ? actions.get(action) : undefined;
  // A call without a required argument is refused anyway; null and empty texts are values, since they empty a field.
  const isWhole = meant?.needs.every((name) => Object.hasOwn(args, name));
  return meant?.affects && isWhole ? meant : undefined;
}

/** What exists before the call. */
export interface Seen {
  /** Undefined if the arguments are all there is to show. */
  readonly shown: JsonObject | undefined;
  /** A digest of the call and what it would affect. */
  readonly digest: string;
}

/** Reads what the call would affect. Throws what the read throws. */
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

/** The arguments in a fixed order. */
export function sorted(args: Args): readonly [string, Json][] {
  return Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The answer of an operation or tool as JSON. */
export async function valueOf(result: Answer): Promise<JsonObject> {
  return parseJson(whole(result instanceof JsonText ? result.text : await writeJson(result))) as JsonObject;
}
