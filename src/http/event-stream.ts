/** Server-sent events over HTTP. A reader that stops reading is disconnected, so that nothing is buffered for it. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { errors } from '../errors.ts';
import type { EventStream, StreamEvent } from '../operations/door/event-stream.ts';

/** How long a reader may take to read what was sent. */
const patienceMs = 3_000;
/** How long the last event may take. */
const lastWordsMs = 1_000;

const defaultRetryMs = 3_000;
const defaultHeartbeatMs = 15_000;

/** Sends the events of `stream`. Closes the connection at the end, so that it does not delay a shutdown. */
export function sendEvents(stream: EventStream, reply: FastifyReply): void {
  const { socket } = reply.request.raw;
  const { retryMs = defaultRetryMs, heartbeatMs = defaultHeartbeatMs } = stream.manner;
  let taken: (() => void) | undefined;
  const body = new Readable({ read: () => taken?.() });
  const left = new AbortController();
  const heartbeat = setInterval(() => {
    if (body.readableLength >= body.readableHighWaterMark) socket.destroy();
    else body.push(':\n\n');
  }, heartbeatMs).unref();
  body.once('close', () => {
    clearInterval(heartbeat);
    left.abort(errors.callerLeft());
    taken?.();
  });

  /** Sends the text; returns false if the reader does not read in time. */
  async function push(text: string): Promise<boolean> {
    if (body.destroyed) return false;
    if (body.push(text)) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), patienceMs).unref();
    taken = () => resolve(true);
    const isTaken = await promise;
    taken = undefined;
    clearTimeout(timer);
    return isTaken && !body.destroyed;
  }

  async function pump(): Promise<void> {
    for await (const event of stream.events(left.signal)) {
      heartbeat.refresh();
      if (!(await push(textOf(event)))) return void socket.destroy();
    }
    body.push(null);
    setTimeout(() => socket.destroy(), lastWordsMs).unref();
  }

  reply.headers({ connection: 'close', 'x-accel-buffering': 'no' });
  reply.type('text/event-stream').send(body);
  body.push(`retry: ${retryMs}\n\n`);
  pump().catch(() => socket.destroy());
}

function textOf({ id, event, data }: StreamEvent): string {
  const head = (id === undefined ? '' : `id: ${id}\n`) + (event === undefined ? '' : `event: ${event}\n`);
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${head}${lines.join('')}\n`;
}
