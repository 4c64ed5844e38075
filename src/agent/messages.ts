/**
 * The conversation, which the client stores and sends each time in the format of chat completions. Whatever the client
 * leaves out, the model gets a result for each tool call.
 */
import { Type, type Static } from 'typebox';
import { errors } from '../errors.ts';

/** Characters of all messages of a request. */
const mostGiven = 400_000;
const mostMessages = 500;
const mostCalls = 32;

const ToolCall = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.Optional(Type.String({ enum: ['function'] })),
    function: Type.Object(
      { name: Type.String({ maxLength: 200 }), arguments: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** The messages of a request. */
export const Messages = Type.Array(
  Type.Object(
    {
      role: Type.String({ enum: ['user', 'assistant', 'tool'] }),
      content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      tool_calls: Type.Optional(Type.Array(ToolCall, { maxItems: mostCalls })),
      tool_call_id: Type.Optional(Type.String({ maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: mostMessages, description: 'The conversation so far, the oldest first' },
);

type Given = Static<typeof Messages>;

/** A tool call of the model: its arguments are arbitrary text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** The result of a call without consent. */
const notAgreed = 'The person has not said yes: nothing was done.';

export interface Conversation {
  /** Whether a call with that id has no result yet. */
  isOpen(callId: string): boolean;
  /** The messages with results of open calls by id; the other open calls get `notAgreed`. */
  completed(results: ReadonlyMap<string, string>): Message[];
}

/** Reads the messages of a request. Throws VALIDATION_ERROR. */
export function conversationIn(given: Given): Conversation {
  if (sizeOf(given) > mostGiven)
    throw errors.validation(
      `messages may have ${mostGiven.toLocaleString('en')} characters together: leave out old ones`,
    );
  const messages: Message[] = [];
  // Where results belong. Some models repeat ids: the call without a result is meant, or the last of several.
  const open = new Map<string, number>();
  let unanswered = new Set<string>();
  const close = () => {
    for (const callId of unanswered) {
      open.set(callId, messages.length);
      messages.push({ role: 'tool', callId, content: notAgreed });
    }
    unanswered = new Set();
  };
  for (const [at, { role, content = null, tool_calls: calls = [], tool_call_id: callId }] of given.entries()) {
    if (role === 'tool') {
      if (content === null || callId === undefined || !unanswered.delete(callId))
        throw wrong(at, 'must be the result of a call in the message of the assistant before it');
      messages.push({ role, callId, content });
      continue;
    }
    close();
    if (role === 'user') {
      if (!content?.trim() || calls.length > 0) throw wrong(at, 'must have a text as its content');
      messages.push({ role, content });
      continue;
    }
    if (content === null && calls.length === 0) throw wrong(at, 'must have a content or tool_calls');
    unanswered = new Set(calls.map(({ id }) => id));
    if (unanswered.size < calls.length) throw wrong(at, 'has two tool_calls with the same id');
    const read = calls.map((call) => ({ id: call.id, name: call.function.name, args: call.function.arguments }));
    messages.push({ role: 'assistant', content, calls: read });
  }
  close();
  return {
    isOpen: (callId) => open.has(callId),
    completed(results) {
      const whole = [...messages];
      for (const [callId, at] of open) {
        const content = results.get(callId);
        if (content !== undefined) whole[at] = { role: 'tool', callId, content };
      }
      return whole;
    },
  };
}

function sizeOf(given: Given): number {
  return given.reduce((sum, { content, tool_calls: calls = [] }) => {
    const ofCalls = calls.reduce((all, call) => all + call.function.name.length + call.function.arguments.length, 0);
    return sum + (content?.length ?? 0) + ofCalls;
  }, 0);
}

function wrong(at: number, message: string) {
  const field = `messages.${at}`;
  return errors.validation(`${field} ${message}`, [{ field, message }]);
}

/** The message in the format of chat completions, for the model and the client. */
export function chatForm(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  if (message.role !== 'assistant') return { ...message };
  const { role, content, calls } = message;
  const made = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
  return { role, content, ...(made.length > 0 && { tool_calls: made }) };
}

/** Characters of a message as sent to the model. */
export function lengthOf(message: Message): number {
  const calls = message.role === 'assistant' ? message.calls : [];
  return calls.reduce((sum, { name, args }) => sum + name.length + args.length, message.content?.length ?? 0);
}
