/**
 * The conversation as the client keeps it and sends it each time, in the form of chat completions. Whatever a client leaves out of it,
 * what goes to the model is whole: each call of a tool has its result.
 */
import { Type, type Static } from 'typebox';
import { errors } from '../errors.ts';

/** Characters of all messages together, as they come. */
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

/** What a request gives. */
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

/** One call of a tool, as the model makes it: its arguments are a text that may be anything. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** What a call is answered that the person has not agreed to. */
const notAgreed = 'The person has not said yes: nothing was done.';

export interface Conversation {
  /** Whether a call with that id has no result yet. */
  isOpen(callId: string): boolean;
  /** All of it, with these results of open calls, by their ids; what still has none was not agreed to. */
  completed(results: ReadonlyMap<string, string>): Message[];
}

/** Reads what a request gives. Throws VALIDATION_ERROR. */
export function conversationIn(given: Given): Conversation {
  if (sizeOf(given) > mostGiven)
    throw errors.validation(
      `messages may have ${mostGiven.toLocaleString('en')} characters together: leave out old ones`,
    );
  const messages: Message[] = [];
  // Where the results will be. Some models give an id again: the call that has no result is meant, and of several the last.
  const open = new Map<string, number>();
  let asked = new Set<string>();
  const close = () => {
    for (const callId of asked) {
      open.set(callId, messages.length);
      messages.push({ role: 'tool', callId, content: notAgreed });
    }
    asked = new Set();
  };
  for (const [at, { role, content = null, tool_calls: calls = [], tool_call_id: callId }] of given.entries()) {
    if (role === 'tool') {
      if (content === null || callId === undefined || !asked.delete(callId))
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
    asked = new Set(calls.map(({ id }) => id));
    if (asked.size < calls.length) throw wrong(at, 'has two tool_calls with the same id');
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

/** As chat completions have it: of the model's server, and of what the client keeps. */
export function chatForm(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  if (message.role !== 'assistant') return { ...message };
  const { role, content, calls } = message;
  const made = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } }));
  return { role, content, ...(made.length > 0 && { tool_calls: made }) };
}

/** Characters that a message takes of what a model is sent. */
export function lengthOf(message: Message): number {
  const calls = message.role === 'assistant' ? message.calls : [];
  return calls.reduce((sum, { name, args }) => sum + name.length + args.length, message.content?.length ?? 0);
}
