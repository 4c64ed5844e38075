/** Calls the operator's model over the chat completions API. The model is untrusted: its answer is limited and treated as text. */
import { KithError } from '../errors.ts';
import { OutgoingError } from '../outgoing/failure.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { AnswerParts, BadAnswer, linesOf } from './answer-chunks.ts';
import { chatForm, type Message, type ToolCall } from './messages.ts';

/** The operator's settings. */
export interface ModelSettings {
  /** Up to the version, such as `https://models.example/v1`. */
  readonly url: string;
  readonly name: string;
  readonly key: string | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Whether the answer was cut for length. */
  readonly isCut: boolean;
}

/** Timeout before the first piece and between two pieces. */
const patienceMs = 90_000;
const mostBytes = 8 * 1024 * 1024;
/** Characters of an error response in the operator's log. */
const mostOfRefusal = 2_000;

/** Calls the model and yields its text as it comes. Throws KithError, whose cause is for the log, and the reason of `signal`. */
export async function* askModel(
  outgoing: Pick<Outgoing, 'stream'>,
  { url, name, key }: ModelSettings,
  messages: readonly Message[],
  tools: readonly object[],
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer, undefined> {
  try {
    const answer = await outgoing.stream(
      {
        url: `${url}/chat/completions`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model: name, stream: true, messages: messages.map(chatForm), tools }),
        isPlainForNamedOnly: true,
      },
      { timeoutMs: patienceMs, idleMs: patienceMs, maxBytes: mostBytes, signal },
    );
    if (answer.status !== 200) throw await refusalOf(answer.status, answer.body);
    return yield* read(answer.body);
  } catch (error) {
    signal.throwIfAborted();
    throw forCaller(error);
  }
}

async function* read(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, ModelAnswer, undefined> {
  const parts = new AnswerParts();
  let isOver = false;
  for await (const line of linesOf(body)) {
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    isOver = data === '[DONE]';
    if (isOver) break;
    if (data === '') continue;
    const text = parts.add(data);
    if (text !== '') yield text;
  }
  if (!isOver && !parts.isWhole) throw new BadAnswer('The stream ends before the answer does');
  const { text, calls, isCut } = parts;
  return { text, calls, isCut };
}

async function refusalOf(status: number, body: AsyncIterable<Uint8Array>): Promise<KithError> {
  let text = '';
  try {
    for await (const piece of body) {
      text += Buffer.from(piece).toString();
      if (text.length > mostOfRefusal) break;
    }
  } catch {
    // The part that came is enough.
  }
  const cause = new BadAnswer(`The model's server answers with ${status}: ${text.slice(0, mostOfRefusal)}`);
  if (status === 429) return new KithError('UNAVAILABLE', 'The model has too much to do: try again later', { cause });
  return new KithError('UNAVAILABLE', `The model refuses the request with status ${status}: ${atLog}`, { cause });
}

const atLog = "the operator finds the reason in the service's log";

/** The error for the caller, without the address of the model and its server's answer, which are only logged. */
function forCaller(error: unknown): unknown {
  if (error instanceof OutgoingError)
    return new KithError('UNAVAILABLE', `The model ${wordsOf(error)}: ${atLog}`, { cause: error });
  if (error instanceof BadAnswer)
    return new KithError('UNAVAILABLE', `The model's answer cannot be used: ${atLog}`, { cause: error });
  return error;
}

function wordsOf({ reason }: OutgoingError): string {
  if (reason === 'timeout') return 'takes too long';
  return reason === 'too-large' ? 'answers without end' : 'cannot be reached, or broke off';
}
