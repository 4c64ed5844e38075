/**
 * A WebSocket that receives transcript segments. Each message is a request of its own at the door, processed in order and
 * acknowledged after its commit: a client that reconnects resumes from there, without loss or repetition.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import { errors, KithError, quoted } from '../errors.ts';
import { isObject, storableJson, type JsonObject } from '../lib/json.ts';
import { errorBody } from '../operations/door/error-body.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Session, Sessions } from '../operations/door/sessions.ts';
import { addToTranscript, lookAtTranscript, type TranscriptState } from '../operations/conversations/transcripts.ts';

/** In milliseconds. */
export interface SocketTimes {
  /** Interval of checking the caller, the transcript and the connection. */
  readonly lookEveryMs: number;
  /** Idle timeout. */
  readonly idleMs: number;
  /** Minimum time between two messages. */
  readonly gapMs: number;
}

export const defaultSocketTimes: SocketTimes = { lookEveryMs: 15_000, idleMs: 30 * 60_000, gapMs: 20 };

interface Parts {
  readonly perform: Perform;
  readonly sessions: Pick<Sessions, 'renew'>;
  /** The context of the upgrade request. */
  readonly context: RequestContext;
  readonly times: SocketTimes;
}

/** Close codes, besides those of the protocol. */
export const closeCodes = {
  /** The service is stopping: reconnect. */
  stopping: 1001,
  /** Binary data. */
  unsupported: 1003,
  tooMany: 1008,
  /** The database is unavailable: reconnect later. */
  later: 1013,
  unauthorized: 4401,
  idle: 4408,
  replaced: 4409,
  stopped: 4410,
} as const;

/** The most messages that may wait while one is processed. */
const mostWaiting = 200;
/** How long the client has to confirm the close. */
const farewellMs = 1_000;

/** One connection, from the upgrade to the close. */
export class TranscriptConnection {
  readonly #socket: WebSocket;
  readonly #parts: Parts;
  readonly #id: string;
  #session: Session;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isAlive = true;
  #heardAt = performance.now();
  #isOver = false;
  #look: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, parts: Parts, session: Session, id: string) {
    this.#socket = socket;
    this.#parts = parts;
    this.#session = session;
    this.#id = id;
  }

  /** Sends the transcript's state, then processes messages. */
  begin({ meetingId, stored }: TranscriptState): void {
    const socket = this.#socket;
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    socket.on('pong', () => void (this.#isAlive = true));
    // The library closes the connection after protocol errors.
    socket.on('error', () => {});
    socket.once('close', () => this.#leave());
    this.#say({ type: 'ready', sessionId: this.#id, meetingId, seq: stored });
    this.#lookLater();
  }

  /** Closes the connection after the current message, with a code that says why. */
  end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#leave();
    void this.#work.finally(() => {
      this.#socket.close(code, reason);
      setTimeout(() => this.#socket.terminate(), farewellMs).unref();
    });
  }

  #leave(): void {
    this.#isOver = true;
    clearTimeout(this.#look);
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return;
    if (isBinary) return this.end(closeCodes.unsupported, 'Messages are texts of JSON');
    if (++this.#waiting > mostWaiting) return this.end(closeCodes.tooMany, 'Wait for what is acknowledged');
    this.#heardAt = performance.now();
    this.#socket.pause();
    this.#work = this.#work.then(() => this.#take(String(data))).then(() => this.#goOn());
  }

  async #goOn(): Promise<void> {
    if (!this.#isOver) await sleep(this.#parts.times.gapMs);
    if (--this.#waiting === 0) this.#socket.resume();
  }

  async #take(text: string): Promise<void> {
    if (this.#isOver) return;
    try {
      const { perform, context } = this.#parts;
      const input = () => ({ ...messageIn(text), id: this.#id });
      this.#acknowledge(await perform(addToTranscript, this.#session, input, ofMessage(context)));
    } catch (error) {
      this.#refuse(error);
    }
  }

  #acknowledge({ stored, isStopped }: TranscriptState): void {
    if (isStopped) this.end(closeCodes.stopped, 'The recording was stopped');
    else this.#say({ type: 'ack', seq: stored });
  }

  /** Reports a wrong message; closes the connection if further messages would fail, too. */
  #refuse(thrown: unknown): void {
    const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
    if (error.cause !== undefined) this.#parts.context.report(error);
    this.#say({ type: 'error', ...errorBody(error) });
    if (error.code === 'UNAUTHORIZED') this.end(closeCodes.unauthorized, 'The token is not good any more');
    else if (error.code === 'RECORD_NOT_FOUND') this.end(closeCodes.stopped, 'There is no such recording');
    else if (error.code !== 'VALIDATION_ERROR' && error.code !== 'MISSING_REQUIRED_FIELD')
      this.end(closeCodes.later, 'Connect again later');
  }

  #lookLater(): void {
    if (this.#isOver) return;
    this.#look = setTimeout(
      () => void this.#lookAgain().finally(() => this.#lookLater()),
      this.#parts.times.lookEveryMs,
    );
    this.#look.unref();
  }

  /** Checks the connection, the idle time, the caller and the transcript. */
  async #lookAgain(): Promise<void> {
    const { idleMs } = this.#parts.times;
    // With messages waiting, an unread one may be the pong.
    if (!this.#isAlive && this.#waiting === 0) return this.#socket.terminate();
    if (performance.now() - this.#heardAt > idleMs) return this.end(closeCodes.idle, 'Nothing was said for long');
    this.#isAlive = false;
    this.#socket.ping();
    await this.look();
  }

  /** Closes the connection if the caller or the transcript is no longer valid. */
  async look(): Promise<void> {
    if (this.#isOver) return;
    const { perform, sessions, context } = this.#parts;
    try {
      this.#session = await sessions.renew(this.#session);
      const state = await perform(lookAtTranscript, this.#session, () => ({ id: this.#id }), ofMessage(context));
      if (state.isStopped) this.end(closeCodes.stopped, 'The recording was stopped');
    } catch (error) {
      this.#refuse(error);
    }
  }

  #say(message: object): void {
    this.#socket.send(JSON.stringify(message), () => {});
  }
}

/** The context of a message: without the deadline and the counts of the upgrade. */
function ofMessage({ requestId, address, report }: RequestContext): RequestContext {
  return {
    source: 'api',
    limitDecisions: [],
    warnings: [],
    report,
    ...(requestId !== undefined && { requestId }),
    ...(address !== undefined && { address }),
  };
}

/** Parses a message. Throws VALIDATION_ERROR. */
function messageIn(text: string): JsonObject {
  const read = storableJson(text);
  if ('problem' in read) throw errors.validation(`The message ${read.problem}`);
  if (!isObject(read.value)) throw errors.validation('The message must be a JSON object');
  const { type = null, ...rest } = read.value;
  if (type === 'segments') return rest;
  const given = typeof type === 'string' ? `, not ${quoted(type)}` : '';
  throw errors.validation(`type must be segments${given}`);
}
