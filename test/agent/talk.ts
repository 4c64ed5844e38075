/** A client of the assistant, as tests use it. */
import type { Client, Reply } from '../support/kith.ts';

export interface Told {
  readonly event: string;
  readonly data: Reply['json'];
}

/** What came of a request, to its end. */
export interface Talked {
  readonly status: number;
  readonly headers: Headers;
  /** Where it was refused. */
  readonly json: Reply['json'];
  readonly events: readonly Told[];
  /** The data of all events of a kind. */
  all(event: string): Reply['json'][];
  /** Those to append to the conversation. */
  readonly messages: Reply['json'][];
  /** `done` with its reason, or `end` with its code. */
  readonly ending: string;
}

interface Manner {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly path?: string;
}

/** Asks, with the token of the client unless there are other headers. */
export async function talk(
  url: string,
  { token }: Pick<Client, 'token'>,
  body: object,
  { headers = {}, signal, path = '/api/agent/stream' }: Manner = {},
): Promise<Talked> {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const text = await reply.text();
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const events = isStream ? eventsIn(text) : [];
  const all = (event: string) => events.filter((one) => one.event === event).map(({ data }) => data);
  const last = events.at(-1);
  return {
    status: reply.status,
    headers: reply.headers,
    json: isStream ? undefined : JSON.parse(text),
    events,
    all,
    messages: all('message'),
    ending: `${last?.event} ${last?.data.reason ?? last?.data.code}`,
  };
}

function eventsIn(text: string): Told[] {
  return text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n');
    const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const [event, data] = [of('event'), of('data')];
    return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
  });
}

export const user = (content: string) => ({ role: 'user', content });
