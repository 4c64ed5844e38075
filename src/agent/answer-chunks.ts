/** A model's answer, put together of the pieces in which its server streams it. All that it may be is bounded here. */
import { newId } from '../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import type { ToolCall } from './messages.ts';

/** Characters of a line of the stream. */
const mostLine = 1_048_576;
const mostText = 200_000;
const mostCalls = 16;
const mostArguments = 262_144;

/** The model's server does not keep to the protocol, or says that it failed; the message is for the operator's log. */
export class BadAnswer extends Error {}

/** The lines of a text that comes in pieces. Throws BadAnswer for one that is too long. */
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

/** Takes the answer in, chunk by chunk. */
export class AnswerParts {
  readonly #texts: string[] = [];
  readonly #calls = new Map<number, { id: string; name: string; args: string }>();
  #length = 0;
  #reason: string | undefined;

  /** Whether the model has said that it is done. */
  get isWhole(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether it had no room for more. */
  get isCut(): boolean {
    return this.#reason === 'length';
  }

  get text(): string {
    return this.#texts.join('');
  }

  /** Those that there are, in their order. */
  get calls(): readonly ToolCall[] {
    const made = [...this.#calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    const ids = new Set<string>();
    return made.map(({ id, name, args }) => {
      const own = id === '' || ids.has(id) ? newId() : id;
      ids.add(own);
      return { id: own, name, args };
    });
  }

  /** Returns the text that the chunk adds. Throws BadAnswer. */
  add(data: string): string {
    const chunk = objectIn(data);
    if (isObject(chunk['error'])) throw new BadAnswer(`The server tells an error: ${data.slice(0, 500)}`);
    const { choices } = chunk;
    // What some servers tell of usage has none.
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
