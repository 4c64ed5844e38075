/**
 * Asks the person before a call deletes something or changes many records, if the client can ask. The client shows what is
 * affected, read by the service. Without such a client nothing is asked, as all but dashboards and views can be restored.
 */
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../lib/json.ts';
import { lookAt, sorted } from '../tools/asking.ts';
import type { Tool, ToolAction, ToolCaller, ToolResult } from '../tools/tool.ts';
import { answerOf, ask, notAgreed, textOf } from './ask-person.ts';

/**
 * Returns the question with what is affected; runs the call once the person has agreed to exactly this. If it has changed,
 * the question is asked again. Throws CONFIRM_REQUIRED if the answer is no, and what the read throws.
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
