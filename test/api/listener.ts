/** A client of a stream of events. */
import { expect } from 'vitest';
import type { Client, Reply } from '../support/kith.ts';

export interface Heard {
  readonly id: string;
  readonly event: string;
  readonly data: Reply['json'];
}

export interface StreamListener {
  /** The first event, which tells from where on it hears. */
  readonly ready: Heard;
  /** The next event; undefined at the end. */
  next(): Promise<Heard | undefined>;
  leave(): void;
}

/** Listens from now on, or behind the event that was heard last. */
export async function listenAs(
  url: string,
  client: Pick<Client, 'token'>,
  last?: string,
  path = 'notifications/stream',
): Promise<StreamListener> {
  const left = new AbortController();
  const reply = await fetch(`${url}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${client.token}`, ...(last !== undefined && { 'last-event-id': last }) },
    signal: left.signal,
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<Heard | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += value;
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (of('event') !== '') return { id: of('id'), event: of('event'), data: JSON.parse(of('data')) };
    }
  }
  const ready = await next();
  expect(ready?.event).toBe('ready');
  return { ready: ready!, next, leave: () => left.abort() };
}
