/** The model's calls of tools, each in the caller's name, within the caller's budgets; and those that wait for the person's yes. */
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
import { fit } from '../tools/fitting.ts';
import { toldBeside } from '../tools/telling.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { tools } from '../tools/tools.ts';
import { newTurn, type Turn } from '../tools/turn.ts';
import { confirmationOf, type Waiting } from './confirmations.ts';
import type { ToolCall } from './messages.ts';

/** Tokens that tools are asked to keep within, and the characters that a result is cut to. */
const mostTokens = 6_000;
const mostCharacters = 32_000;

export interface ToolParts {
  readonly call: Call;
  readonly perform: PerformWithin;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Absent where limits are off. */
  readonly limiter: Limiter | undefined;
  /** By which history knows the agent. */
  readonly agent: string;
}

/** What came of a call: a result for the model, or a question for the person. */
export type CallOutcome = CallResult | CallQuestion;

export interface CallResult {
  readonly content: string;
  readonly isError: boolean;
  /** In which it wrote; undefined where it wrote nothing that can be taken back. */
  readonly changeSet?: string;
}

/** What the person is shown, and the token that brings a yes back. */
export interface CallQuestion {
  readonly question: {
    readonly id: string;
    readonly tool: string;
    readonly title: string;
    readonly arguments: JsonObject;
    /** Of a message: what would go out. Of a loss: what is there, or null where the arguments say it all. */
    readonly preview: Json;
    readonly token: string;
    readonly expires_at: string;
  };
}

/** Does what the model calls; a send or a loss is prepared only, and asked about. Throws UNAUTHORIZED alone: all else is a result. */
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

/** Does what the person has said yes to; asks anew where a loss would be another one by now. Throws as above. */
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
    const content = `${await fitting(result)}\n\n${toldBeside(changeSet, warnings)}`;
    return { content, isError: false, ...(changeSet !== undefined && { changeSet }) };
  } catch (thrown) {
    if (call.signal.aborted) throw thrown;
    const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
    if (error.code === 'UNAUTHORIZED') throw error;
    if (error.cause !== undefined) call.report(error);
    return { content: JSON.stringify(errorBody(error)), isError: true };
  }
}

/** The preview has a token of its own, which goes into the person's: the model sees neither. */
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
  const preview = shown === undefined ? null : (fit(shown, mostCharacters) ?? null);
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

/** A preview that the model asks for tells what would go out, and no token. */
async function withoutToken(tool: Tool, args: JsonObject, result: ToolResult): Promise<ToolResult> {
  if (args['action'] !== 'preview' || !isSend(tool, { action: 'send' })) return result;
  const { confirm_token: _token, note: _note, ...shown } = await valueOf(result);
  return { ...shown, note: 'Nothing was sent. Call send with the same arguments: the person is shown it and asked.' };
}

/** The arguments, with a bound for the answer where the tool takes one. */
function within({ input }: Tool, args: JsonObject): JsonObject {
  const takes = 'properties' in input && isObject(input.properties) && 'max_tokens' in input.properties;
  const { max_tokens: given = null } = args;
  if (!takes || (typeof given === 'number' && given <= mostTokens)) return args;
  return given === null || typeof given === 'number' ? { ...args, max_tokens: mostTokens } : args;
}

async function fitting(result: ToolResult): Promise<string> {
  const text = result instanceof JsonText ? result.text : await writeJson(result);
  if (lengthOf(text) <= mostCharacters) return whole(text);
  const cut = fit(await valueOf(result), mostCharacters);
  if (cut) return JSON.stringify(cut);
  throw errors.validation('The answer is too large: ask for fewer fields, or for less at once');
}

function toolNamed(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return tool;
  const names = tools.map((one) => one.name);
  throw errors.validation(`There is no tool ${quoted(name)}${didYouMean(name, names)}`, undefined, names);
}

/** No arguments are none at all. */
function argumentsIn(text: string): JsonObject {
  const read = text.trim() === '' ? { value: {} } : storableJson(text);
  if ('problem' in read) throw errors.validation(`The arguments of the call: ${read.problem}`);
  if (!isObject(read.value)) throw errors.validation('The arguments of the call must be a JSON object');
  return read.value;
}
