/**
 * Asks the person before something is taken away, or changed in many records, where the agent's program can: what is there is
 * read and shown by that program, not told by the model. Of all others, what they take away can be brought back,
 * but for dashboards and views.
 */
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../lib/json.ts';
import { lookAt, sorted } from '../tools/asking.ts';
import type { Tool, ToolAction, ToolCaller, ToolResult } from '../tools/tool.ts';
import { answerOf, ask, notAgreed, textOf } from './ask-person.ts';

/**
 * The question, with what is there; when the person has said yes to exactly this, the call is done. Where something else is
 * there by then, the question is asked anew. Throws CONFIRM_REQUIRED where the answer is no, and what the look throws.
 */
export async function afterShowing(
  tool: Tool,
  loss: ToolAction,
  args: JsonObject,
  context: ServerContext,
  caller: ToolCaller,
): Promise<ToolResult | InputRequiredResult> {
  const { shown, digest } = await lookAt(tool, loss, args, caller);
  const { state, isYes } = answerOf(context);
  if (isYes === false) throw notAgreed('done');
  if (isYes && state === digest) return tool.run(caller, args);
  const lines = sorted(args).map(([name, value]) => `${name}: ${textOf(value)}`);
  const there = shown ? `\n\nThere is now:\n${textOf(JSON.stringify(shown, undefined, 1))}` : '';
  return ask(`Do this with ${tool.title}?\n\n${lines.join('\n')}${there}`, digest);
}
