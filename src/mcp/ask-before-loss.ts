/**
 * Asks the person before something is taken away, or changed in many records, where the agent's program can: what is there is
 * read and shown by that program, not told by the model. Of all others, what they take away can be brought back,
 * but for dashboards.
 */
import { createHash } from 'node:crypto';
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../lib/json.ts';
import type { Tool, ToolAction, ToolCaller, ToolResult } from '../tools/tool.ts';
import { answerOf, ask, canAsk, notAgreed, textOf, valueOf } from './ask-person.ts';

/** What the call takes away, for an agent whose program can ask; undefined where nobody has to be asked. */
export function lossOf({ actions }: Tool, args: JsonObject, context: ServerContext): ToolAction | undefined {
  const { action } = args;
  const meant = typeof action === 'string' ? actions.get(action) : undefined;
  // What lacks something is refused before anything is done; null and an empty text are values, too: they empty a field.
  const isWhole = meant?.needs.every((name) => Object.hasOwn(args, name));
  return meant?.affects && isWhole && canAsk(context) ? meant : undefined;
}

/**
 * The question, with what is there; when the person has said yes to exactly this, the call is done. Where something else is
 * there by then, the question is asked anew. Throws CONFIRM_REQUIRED where the answer is no, and what the look throws.
 */
export async function afterShowing(
  tool: Tool,
  { affects }: ToolAction,
  args: JsonObject,
  context: ServerContext,
  caller: ToolCaller,
): Promise<ToolResult | InputRequiredResult> {
  const look = affects?.(args);
  const { nextCursor: _next, ...shown } = look
    ? await valueOf(await caller.perform(look.operation, () => look.input))
    : {};
  const entries = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const seen = createHash('sha256')
    .update(JSON.stringify([tool.name, entries, shown]))
    .digest('base64url');
  const { state, isYes } = answerOf(context);
  if (isYes === false) throw notAgreed('done');
  if (isYes && state === seen) return tool.run(caller, args);
  const lines = entries.map(([name, value]) => `${name}: ${textOf(value)}`);
  const there = look ? `\n\nThere is now:\n${textOf(JSON.stringify(shown, undefined, 1))}` : '';
  return ask(`Do this with ${tool.title}?\n\n${lines.join('\n')}${there}`, seen);
}
