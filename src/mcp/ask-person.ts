/**
 * Asks the person before something goes out, where the agent's program can: what would be sent is shown by that program, not told
 * by the model, and only a yes sends it. Of all others the model asks, and repeats the token of a preview.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { KithError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { valueOf } from '../tools/asking.ts';
import type { Tool, ToolCaller, ToolResult } from '../tools/tool.ts';
import { soMany } from '../lib/so-many.ts';

/** The key of the question. */
const question = 'confirm';
/** Characters of a text that are shown: of a longer one is told how much is not. */
const mostShown = 20_000;

/** Whether the agent's program can ask a person: one of the current revision alone. */
export function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope: { readonly [key: string]: unknown } = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return isObject(capabilities) && isObject(capabilities['elicitation']);
}

/**
 * First the question, with what would go out; when the person has answered, what was sent. The token of the preview is the state
 * in between: it is good once, and for exactly this message. Throws CONFIRM_REQUIRED where the answer is no.
 */
export async function afterAsking(
  tool: Tool,
  args: JsonObject,
  context: ServerContext,
  caller: ToolCaller,
): Promise<ToolResult | InputRequiredResult> {
  const { state, isYes } = answerOf(context);
  if (isYes === false) throw notAgreed('sent');
  if (isYes) return tool.run(caller, { ...args, confirm_token: state });
  const { confirm_token: _given, ...message } = args;
  const { confirm_token: token, message: shown } = await valueOf(
    await tool.run(caller, { ...message, action: 'preview' }),
  );
  return ask(`Send this?\n\n${linesOf(shown)}`, String(token));
}

/** A question that is answered by yes or no; `state` comes back with the answer. */
export function ask(message: string, state: string): InputRequiredResult {
  const elicited = inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } });
  return inputRequired({ inputRequests: { [question]: elicited }, requestState: state });
}

/** What came back; `isYes` is undefined where nobody was asked yet. */
export function answerOf({ mcpReq }: ServerContext): { readonly state: string; readonly isYes?: boolean } {
  const state = mcpReq.requestState();
  const answer = mcpReq.inputResponses?.[question];
  if (typeof state !== 'string' || answer === undefined) return { state: '' };
  return { state, isYes: isObject(answer) && answer['action'] === 'accept' };
}

export const notAgreed = (what: string) =>
  new KithError('CONFIRM_REQUIRED', `The person has not said yes: nothing was ${what}`);

/** Whether the outcome is a question, and no result. */
export function isQuestion(outcome: object): outcome is InputRequiredResult {
  return 'inputRequests' in outcome;
}

/** A line for each part that there is. */
function linesOf(shown: Json | undefined): string {
  return Object.entries(isObject(shown) ? shown : {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join('\n');
}

/** As a person is shown it. */
export function textOf(value: Json): string {
  // Whom it goes to is shown whole.
  if (typeof value !== 'string') return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
  const hidden = value.length - mostShown;
  if (hidden <= 0) return value;
  return `${value.slice(0, mostShown).toWellFormed()}… (${soMany(hidden, 'more character is', 'more characters are')} not shown)`;
}
