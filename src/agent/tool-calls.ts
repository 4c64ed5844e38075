/** Runs the model's tool calls in the caller's name and budgets; those that need consent become questions. */
import type { Call } from '../access/call.ts';
import type { Keyring } from '../auth/keys.ts';
import { errors, KithError, quoted } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { isObject, storableJson, type Json, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import { lengthOf, whole } from '../lib/long-text.ts';
import { didYouMean } from '../lib/nearest.ts';
import { bucketOf } from '../limits/buckets.ts';
import { count, type LimitDecision, type Limiter } from '../limits/limiter.ts';
import { errorBody } from '../operations/door/error-body.ts';
import { JsonText } from '../operations/door/operation.ts';
import type { PerformWithin } from '../operations/door/performing-stream.ts';
import { isSend, lookAt, lossOf, valueOf } from '../tools/asking.ts';
import { cutAnswer } from '../tools/cut-answer.ts';
import { textBeside } from '../tools/model-texts.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';
import { newTurn, type Turn } from '../tools/turn.ts';
import { confirmationOf, type Waiting } from './confirmations.ts';
import type { ToolCall } from './messages.ts';

/** The size that tools are asked for, and the characters at which results are cut. */
const mostTokens = 6_000;
const mostCharacters = 32_000;

export interface ToolParts {
  readonly call: Call;
  readonly perform: PerformWithin;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Absent if limits are off. */
  readonly limiter: Limiter | undefined;
  /** The agent's name in history. */
  readonly agent: string;
}

/** A result for the model, or a question for the person. */
export type CallOutcome = CallResult | CallQuestion;

export interface CallResult {
  readonly content: string;
  readonly isError: boolean;
  /** The change set of its writes; undefined if there are none that can be undone. */
  readonly changeSet?: string;
}

/** The question, and the token that returns the consent. */
export interface CallQuestion {
  readonly question: {
    readonly id: string;
    readonly tool: string;
    readonly title: string;
    readonly arguments: JsonObject;
    /** The message to be sent, or what would be lost; null if the arguments show it. */
    readonly preview: Json;
    readonly token: string;
    readonly expires_at: string;
  };
}

/** Runs a call of the model; a send or a loss is only prepared, as a question. Throws UNAUTHORIZED only: other errors are results. */
export function callTool(parts: ToolParts, { id, name, args: text }: ToolCall): Promise<CallOutcome> {
  return asOutcome(parts, async (turn) => {
    const tool = toolNamed(name);
    const args = argumentsIn(text);
    if (isSend(tool, args)) return preparedSend(parts, tool, id, args, turn);
    const loss = lossOf(tool, args);
    if (loss) return preparedLoss(parts, tool, { callId: id, tool: name, args }, await lookAt(tool, loss, args, turn));
    return withoutToken(tool, args, await tool.run(turn, within(tool, args)));
  });
}

/** Runs a call with consent; asks again if the loss would be another one now. Throws as `callTool`. */
export function callConfirmed(parts: ToolParts, waiting: Waiting): Promise<CallOutcome> {
  return asOutcome(parts, async (turn) => {
    const tool = toolNamed(waiting.tool);
    const loss = lossOf(tool, waiting.args);
    if (loss) {
      const seen = await lookAt(tool, loss, waiting.args, turn);
      if (seen.digest !== waiting.seen) return preparedLoss(parts, tool, waiting, seen);
    }
    return tool.run(turn, waiting.args);
  });
}

async function asOutcome(
  parts: ToolParts,
  work: (turn: Turn) => Promise<ToolResult | CallQuestion>,
): Promise<CallOutcome> {
  const { limiter, call, perform, agent } = parts;
  try {
    const decisions: LimitDecision[] = [];
    await count(limiter, [bucketOf('api:global', call.caller)], decisions);
    const turn = newTurn((operation, input, ofTurn) =>
      perform(operation, input, { source: 'agent', agent, limitDecisions: decisions, ...ofTurn }),
    );
    const result = await work(turn);
    if ('question' in result) return result;
    const { changeSet, warnings } = turn;
    const content = `${await fitting(result)}\n\n${textBeside(changeSet, warnings)}`;
    return { content, isError: false, ...(changeSet !== undefined && { changeSet }) };
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
    if (error.code === 'UNAUTHORIZED') throw error;
    if (error.cause !== undefined) call.report(error);
    return { content: JSON.stringify(errorBody(error)), isError: true };
  }
}

/** Prepares a send. The preview's own token is put into the person's, and the model sees neither. */
async function preparedSend(parts: ToolParts, tool: Tool, callId: string, args: JsonObject, turn: Turn) {
  const { confirm_token: _given, ...message } = args;
  const { confirm_token: token = null, message: preview = null } = await valueOf(
    await tool.run(turn, { ...message, action: 'preview' }),
  );
  const waiting = { callId, tool: tool.name, args: { ...message, confirm_token: token } };
  return question(parts, tool, waiting, message, preview);
}

function preparedLoss(
  parts: ToolParts,
  tool: Tool,
  waiting: Waiting,
  { shown, digest }: Awaited<ReturnType<typeof lookAt>>,
): CallQuestion {
  const preview = shown === undefined ? null : (cutAnswer(shown, mostCharacters) ?? null);
  return question(parts, tool, { ...waiting, seen: digest }, waiting.args, preview);
}

function question(
  { keyring, clock, call: { caller } }: ToolParts,
  { name, title }: Tool,
  waiting: Waiting,
  args: JsonObject,
  preview: Json,
): CallQuestion {
  const { token, until } = confirmationOf(keyring, caller, waiting, clock.now());
  return {
    question: {
      ...{ id: waiting.callId, tool: name, title, arguments: args, preview, token },
      expires_at: new Date(until).toISOString(),
    },
  };
}

/** The result of a preview that the model calls, without its token. */
async function withoutToken(tool: Tool, args: JsonObject, result: ToolResult): Promise<ToolResult> {
  if (args['action'] !== 'preview' || !isSend(tool, { action: 'send' })) return result;
  const { confirm_token: _token, note: _note, ...shown } = await valueOf(result);
  return { ...shown, note: 'Nothing was sent. Call send with the same arguments: the person is shown it and asked.' };
}

/** The arguments, with a size limit if the tool takes one. */
function within({ input }: Tool, args: JsonObject): JsonObject {
  const takes = 'properties' in input && isObject(input.properties) && 'max_tokens' in input.properties;
  const { max_tokens: given = null } = args;
  if (!takes || (typeof given === 'number' && given <= mostTokens)) return args;
  return given === null || typeof given === 'number' ? { ...args, max_tokens: mostTokens } : args;
}

async function fitting(result: ToolResult): Promise<string> {
  const text = result instanceof JsonText ? result.text : await writeJson(result);
  if (lengthOf(text) <= mostCharacters) return whole(text);
  const cut = cutAnswer(await valueOf(result), mostCharacters);
  if (cut) return JSON.stringify(cut);
  throw errors.validation('The answer is too large: ask for fewer fields, or for less at once');
}

function toolNamed(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  const names = tools.map((one) => one.name);
  throw errors.validation(`There is no tool ${quoted(name)}${didYouMean(name, names)}`, undefined, names);
}

/** Parses the arguments; an empty text means none. */
function argumentsIn(text: string): JsonObject {
  const read = text.trim() === '' ? { value: {} } : storableJson(text);
  if ('problem' in read) throw errors.validation(`The arguments of the call: ${read.problem}`);
  if (!isObject(read.value)) throw errors.validation('The arguments of the call must be a JSON object');
  return read.value;
}
