/** Calls `POST /api/agent/stream`: one request per turn, whose events arrive as they happen. */

/** A message in the format of chat completions, as the service defines it. */
export type Message = Readonly<Record<string, unknown>>;

export interface Confirmation {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly arguments: unknown;
  readonly preview: unknown;
  readonly token: string;
  readonly expires_at: string;
}

export type AgentEvent =
  | { readonly event: 'text'; readonly data: { readonly text: string } }
  | { readonly event: 'tool'; readonly data: { readonly id: string; readonly name: string } }
  | {
      readonly event: 'result';
      readonly data: { readonly id: string; readonly ok: boolean; readonly change_set?: string };
    }
  | { readonly event: 'message'; readonly data: Message }
  | { readonly event: 'confirmation'; readonly data: Confirmation }
  | { readonly event: 'done'; readonly data: { readonly reason: string } }
  | { readonly event: 'end'; readonly data: { readonly code: string; readonly message: string } };

/** The operator has configured no model. */
export class NoModel extends Error {}

/** Sends the messages and yields events until the last. Throws NoModel, and an Error with the service's message for other refusals. */
export async function* askAssistant(
  body: { readonly messages: readonly Message[]; readonly confirm?: readonly string[] },
  madeFor: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const response = await fetch('/api/agent/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'made-for': madeFor },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || !response.body) throw await refusalOf(response);
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = '' } = await reader.read();
    const blocks = `${rest}${value}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event) yield event;
    }
    if (done) return;
  }
}

async function refusalOf(response: Response): Promise<Error> {
  const answer = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  if (answer.code === 'NOT_SUPPORTED') return new NoModel(answer.message ?? '');
  return new Error(answer.message ?? response.statusText);
}

function eventIn(block: string): AgentEvent | undefined {
  const lines = block.split('\n');
  const part = (name: string) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join('\n');
  const [event, data] = [part('event'), part('data')];
  return event === '' || data === '' ? undefined : ({ event, data: JSON.parse(data) } as AgentEvent);
}
