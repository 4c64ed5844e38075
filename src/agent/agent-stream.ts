/**
 * `POST /api/agent/stream`: the assistant inside Kith. It calls the operator's model repeatedly, runs the tools that the
 * model calls in the caller's name, and ends with text, with a question for the person, or at a limit.
 */
import { Type } from 'typebox';
import type { Keyring } from '../auth/keys.ts';
import { errors, KithError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { StreamEvent } from '../operations/door/event-stream.ts';
import { countStreams } from '../operations/door/open-streams.ts';
import { defineOperation, type Operation } from '../operations/door/operation.ts';
import { PerformingStream } from '../operations/door/performing-stream.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { requireToolScope } from '../tools/model-texts.ts';
import { tools } from '../tools/tools.ts';
import { confirmed, type Waiting } from './confirmations.ts';
import { instructionsFor } from './instructions.ts';
import { chatForm, conversationIn, lengthOf, Messages, type Conversation, type Message } from './messages.ts';
import { askModel, type ModelAnswer, type ModelSettings } from './model.ts';
import { callConfirmed, callTool, type CallOutcome, type ToolParts } from './tool-calls.ts';

/** Limits of one request. */
export interface AgentBounds {
  /** The most answers of the model. */
  readonly mostRounds: number;
  readonly wholeMs: number;
  /** Of everything sent to the model, including its own answers and tool results. */
  readonly mostCharacters: number;
}

const defaultBounds: AgentBounds = { mostRounds: 16, wholeMs: 5 * 60_000, mostCharacters: 800_000 };

interface Parts {
  /** Absent if the operator has configured none. */
  readonly model: ModelSettings | undefined;
  readonly outgoing: Pick<Outgoing, 'stream'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Absent if limits are off. */
  readonly limiter: Limiter | undefined;
  readonly bounds?: AgentBounds;
}

const Input = Type.Object(
  {
    messages: Messages,
    confirm: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000_000 }), {
        maxItems: 16,
        description: 'Tokens of confirmation events that the person has said yes to',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The tools as sent to the model. */
const listedTools = tools.map(({ name, description, input: parameters }) => ({
  type: 'function',
  function: { name, description, parameters },
}));

/** The most concurrent conversations: each holds its messages and a connection to the model. */
const most = { mostOfUser: 3, mostOfOrganization: 30, mostOfProcess: 100 };

/** Makes the operation of a process. It changes nothing itself: each tool call passes the door by itself. */
export function createAgentStream({ model, bounds = defaultBounds, ...parts }: Parts): Operation<typeof Input> {
  const take = countStreams(most);
  return defineOperation({
    id: 'agent.stream',
    summary: 'Talk to the assistant, which works with the tools in your name',
    input: Input,
    output: Type.Object({}),
    downloads: ['text/event-stream'],
    effect: 'read',
    cost: 'global',
    policies: ['agent:stream'],
    async run(call, { messages, confirm = [] }) {
      if (!model)
        throw errors.notSupported('There is no model here: the operator sets KITH_MODEL_URL and KITH_MODEL_NAME');
      requireToolScope(call.caller);
      const conversation = conversationIn(messages);
      const waiting = confirm.map((token) => confirmed(parts.keyring, call.caller, token, call.now));
      requireOpen(waiting, conversation);
      return new PerformingStream((signal, { perform, report }) => {
        const ofTools = { ...parts, call: { ...call, signal, report }, perform, agent: `in-app agent (${model.name})` };
        const talk = new Talk({ ...parts, model, bounds }, ofTools, conversation, waiting);
        return whileTaken(
          () => take(call.caller),
          () => talk.events(signal),
        );
      });
    },
  });
}

/** Throws VALIDATION_ERROR unless each confirmed call is an open call of these messages, and named once. */
function requireOpen(waiting: readonly Waiting[], { isOpen }: Conversation): void {
  const ids = new Set(waiting.map(({ callId }) => callId));
  if (ids.size === waiting.length && [...ids].every(isOpen)) return;
  throw errors.validation(
    'confirm takes each token once, with the messages that came before its confirmation, and no result of that call in them',
  );
}

async function* whileTaken<T>(take: () => () => void, work: () => AsyncIterable<T>): AsyncGenerator<T> {
  const giveBack = take();
  try {
    yield* work();
  } finally {
    giveBack();
  }
}

interface TalkParts extends Omit<Parts, 'model' | 'bounds'> {
  readonly model: ModelSettings;
  readonly bounds: AgentBounds;
}

/** How a successful stream ends. */
type EndReason = 'answered' | 'confirmation' | 'length' | 'rounds';

/** One request, from its input to its last event. */
class Talk {
  readonly #parts: TalkParts;
  readonly #ofTools: ToolParts;
  readonly #conversation: Conversation;
  readonly #waiting: readonly Waiting[];

  constructor(parts: TalkParts, ofTools: ToolParts, conversation: Conversation, waiting: readonly Waiting[]) {
    this.#parts = parts;
    this.#ofTools = ofTools;
    this.#conversation = conversation;
    this.#waiting = waiting;
  }

  async *events(left: AbortSignal): AsyncGenerator<StreamEvent> {
    const { bounds } = this.#parts;
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(tookTooLong(bounds.wholeMs)), bounds.wholeMs).unref();
    try {
      const ending = yield* this.#talk(AbortSignal.any([left, time.signal]));
      yield eventOf('done', { reason: ending });
    } finally {
      clearTimeout(timer);
    }
  }

  async *#talk(signal: AbortSignal): AsyncGenerator<StreamEvent, EndReason, undefined> {
    const { bounds, model, outgoing } = this.#parts;
    const results = new Map<string, string>();
    let isAsked = false;
    for (const waiting of this.#waiting) {
      signal.throwIfAborted();
      yield eventOf('tool', { id: waiting.callId, name: waiting.tool });
      const isQuestion = yield* this.#report(waiting.callId, await callConfirmed(this.#ofTools, waiting), results);
      isAsked ||= isQuestion;
    }
    if (isAsked) return 'confirmation';
    const system: Message = { role: 'system', content: instructionsFor(this.#ofTools.call) };
    const messages = [system, ...this.#conversation.completed(results)];
    for (let round = 0; round < bounds.mostRounds; round++) {
      signal.throwIfAborted();
      if (messages.reduce((sum, message) => sum + lengthOf(message), 0) > bounds.mostCharacters) return 'length';
      const answer = yield* textsOf(askModel(outgoing, model, messages, listedTools, signal));
      const said: Message = {
        role: 'assistant',
        content: answer.text || null,
        calls: answer.isCut ? [] : answer.calls,
      };
      if (answer.text !== '' || said.calls.length > 0) yield eventOf('message', chatForm(said));
      if (answer.isCut) return 'length';
      if (answer.calls.length === 0) return 'answered';
      messages.push(said);
      if (yield* this.#work(answer, messages, signal)) return 'confirmation';
    }
    return 'rounds';
  }

  /** Runs the model's calls in order. Returns whether the person is asked something. */
  async *#work({ calls }: ModelAnswer, messages: Message[], signal: AbortSignal): AsyncGenerator<StreamEvent, boolean> {
    let isAsked = false;
    for (const call of calls) {
      signal.throwIfAborted();
      yield eventOf('tool', { id: call.id, name: call.name });
      const results = new Map<string, string>();
      const isQuestion = yield* this.#report(call.id, await callTool(this.#ofTools, call), results);
      isAsked ||= isQuestion;
      for (const [callId, content] of results) messages.push({ role: 'tool', callId, content });
    }
    return isAsked;
  }

  /** Sends the outcome of a call and adds its result to the messages. Returns whether it is a question. */
  async *#report(
    callId: string,
    outcome: CallOutcome,
    results: Map<string, string>,
  ): AsyncGenerator<StreamEvent, boolean> {
    if ('question' in outcome) {
      yield eventOf('confirmation', outcome.question);
      return true;
    }
    const { content, isError, changeSet } = outcome;
    results.set(callId, content);
    yield eventOf('message', chatForm({ role: 'tool', callId, content }));
    yield eventOf('result', { id: callId, ok: !isError, ...(changeSet !== undefined && { change_set: changeSet }) });
    return false;
  }
}

async function* textsOf(
  answer: AsyncGenerator<string, ModelAnswer, undefined>,
): AsyncGenerator<StreamEvent, ModelAnswer, undefined> {
  try {
    for (;;) {
      const next = await answer.next();
      if (next.done) return next.value;
      yield eventOf('text', { text: next.value });
    }
  } finally {
    await answer.return(undefined as never).catch(() => {});
  }
}

function eventOf(event: string, data: object): StreamEvent {
  return { event, data: JSON.stringify(data) };
}

function tookTooLong(wholeMs: number): KithError {
  return new KithError('UNAVAILABLE', `The answer took longer than ${wholeMs / 1_000} seconds: ask for less at once`);
}
