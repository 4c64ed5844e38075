/** Assembles a model's answer from its stream, within limits. */
import { newId } from '../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import type { ToolCall } from './messages.ts';

/** The most characters of a line of the stream. */
const mostLine = 1_048_576;
const mostText = 200_000;
const mostCalls = 16;
const mostArguments = 262_144;

/** The model's server violates the protocol or reports a failure; the message is for the operator's log. */
export class BadAnswer extends Error {}

/** Splits a text that comes in pieces into lines. Throws BadAnswer for one that is too long. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const bytes of pieces) {
    const lines = decoder.decode(bytes, { stream: true }).split(/\r?\n/);
    for (const [at, part] of lines.entries()) {
      length += part.length;
      if (length > mostLine) throw new BadAnswer(`A line has more than ${mostLine.toLocaleString('en')} characters`);
      parts.push(part);
      if (at === lines.length - 1) break;
      yield parts.join('').replace(/\r$/, '');
      parts = [];
      length = 0;
    }
  }
  if (length > 0) yield parts.join('');
}

/** Collects an answer chunk by chunk. */
export class AnswerParts {
  readonly #texts: string[] = [];
  readonly #calls = new Map<number, { id: string; name: string; args: string }>();
  #length = 0;
  #reason: string | undefined;

  /** Whether the model has finished. */
  get isWhole(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether the answer was cut for length. */
  get isCut(): boolean {
    return this.#reason === 'length';
  }

  get text(): string {
    return this.#texts.join('');
  }

  /** The tool calls in order. */
  get calls(): readonly ToolCall[] {
    const made = [...this.#calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    const ids = new Set<string>();
    return made.map(({ id, name, args }) => {
      const own = id === '' || ids.has(id) ? newId() : id;
      ids.add(own);
      return { id: own, name, args };
    });
  }

  /** Adds a chunk and returns its text. Throws BadAnswer. */
  add(data: string): string {
    const chunk = objectIn(data);
    if (isObject(chunk['error'])) throw new BadAnswer(`The server tells an error: ${data.slice(0, 500)}`);
    const { choices } = chunk;
    // Chunks about usage have no choice.
    const [choice] = Array.isArray(choices) ? choices : [];
    if (!isObject(choice)) return '';
    if (typeof choice['finish_reason'] === 'string') this.#reason = choice['finish_reason'];
    const { delta = null } = choice;
    if (!isObject(delta)) return '';
    const calls = delta['tool_calls'];
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(call);
    const text = delta['content'];
    if (typeof text !== 'string' || text === '') return '';
    this.#length += text.length;
    if (this.#length > mostText)
      throw new BadAnswer(`The answer has more than ${mostText.toLocaleString('en')} characters`);
    this.#texts.push(text);
    return text;
  }

  #addCall(given: Json): void {
    if (!isObject(given)) throw new BadAnswer('A call of a tool is no object');
    const { index = this.#calls.size, id, function: made } = given;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= mostCalls)
      throw new BadAnswer(`A call of a tool has an index that is none, or there are more than ${mostCalls}`);
    let call = this.#calls.get(index);
    if (!call) this.#calls.set(index, (call = { id: '', name: '', args: '' }));
    if (typeof id === 'string' && call.id === '') call.id = id.slice(0, 200);
    if (!isObject(made)) return;
    if (typeof made['name'] === 'string') call.name = (call.name + made['name']).slice(0, 200);
    if (typeof made['arguments'] === 'string') call.args += made['arguments'];
    if (call.args.length > mostArguments)
      throw new BadAnswer(`The arguments of a tool have more than ${mostArguments.toLocaleString('en')} characters`);
  }
}

function objectIn(data: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new BadAnswer(`A chunk is no JSON: ${JSON.stringify(data.slice(0, 200))}`);
  }
  if (!isObject(value)) throw new BadAnswer('A chunk is no object');
  return value;
}
