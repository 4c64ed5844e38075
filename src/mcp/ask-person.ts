/**
 * Asks the person before a message is sent, if the client can ask: it shows the message, and only a yes sends it. With
 * other clients the model asks and repeats the token of a preview.
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
/** The most characters of a text to show; the number of hidden ones is stated. */
const mostShown = 20_000;

/** Whether the client can ask a person, which needs the current protocol revision. */
export function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope: { readonly [key: string]: unknown } = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return isObject(capabilities) && isObject(capabilities['elicitation']);
}

/**
 * Returns the question with the message; after the answer, the result of sending. The state in between is the preview's
 * token, which is valid once and for exactly this message. Throws CONFIRM_REQUIRED if the answer is no.
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

/** A yes-or-no question; `state` comes back with the answer. */
export function ask(message: string, state: string): InputRequiredResult {
  const elicited = inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } });
  return inputRequired({ inputRequests: { [question]: elicited }, requestState: state });
}

/** The returned state and answer; `isYes` is undefined before the question. */
export function answerOf({ mcpReq }: ServerContext): { readonly state: string; readonly isYes?: boolean } {
  const state = mcpReq.requestState();
  const answer = mcpReq.inputResponses?.[question];
  if (typeof state !== 'string' || answer === undefined) return { state: '' };
  return { state, isYes: isObject(answer) && answer['action'] === 'accept' };
}

export const notAgreed = (what: string) =>
  new KithError('CONFIRM_REQUIRED', `The person has not said yes: nothing was ${what}`);

/** Whether the outcome is a question instead of a result. */
export function isQuestion(outcome: object): outcome is InputRequiredResult {
  return 'inputRequests' in outcome;
}

/** A line for each part. */
function linesOf(shown: Json | undefined): string {
  return Object.entries(isObject(shown) ? shown : {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join('\n');
}

/** The text that a person sees. */
export function textOf(value: Json): string {
  // Recipients are shown in full.
  if (typeof value !== 'string') return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
  const hidden = value.length - mostShown;
  if (hidden <= 0) return value;
  return `${value.slice(0, mostShown).toWellFormed()}… (${soMany(hidden, 'more character is', 'more characters are')} not shown)`;
}
