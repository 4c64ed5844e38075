/**
 * One WebSocket that takes what is said in a meeting. Each message is a request at the door of its own, one after the other, and
 * acknowledged when it is committed: a client that comes back sends again from there, and nothing is lost or kept twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import { errors, KithError, quoted } from '../errors.ts';
import { isObject, storableJson, type JsonObject } from '../lib/json.ts';
import { errorBody } from '../operations/door/error-body.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Session, Sessions } from '../operations/door/sessions.ts';
import { addToTranscript, lookAtTranscript, type TranscriptState } from '../operations/transcripts.ts';

/** Milliseconds. */
export interface SocketTimes {
  /** Between two looks at the caller, the transcript and the connection. */
  readonly lookEveryMs: number;
  /** Without a message. */
  readonly idleMs: number;
  /** Between two messages that are taken. */
  readonly gapMs: number;
}

export const usualSocketTimes: SocketTimes = { lookEveryMs: 15_000, idleMs: 30 * 60_000, gapMs: 20 };

interface Parts {
  readonly perform: Perform;
  readonly sessions: Pick<Sessions, 'renew'>;
  /** That of the upgrade. */
  readonly context: RequestContext;
  readonly times: SocketTimes;
}

/** How a connection ends, beside those of the protocol. */
export const closeCodes = {
  /** The service stops: connect again. */
  stopping: 1001,
  /** Binary data. */
  unsupported: 1003,
  tooMany: 1008,
  /** The database is away: connect again later. */
  later: 1013,
  unauthorized: 4401,
  idle: 4408,
  replaced: 4409,
  stopped: 4410,
} as const;

/** Messages that wait while one is at work: a client has to wait for what is acknowledged by then. */
const mostWaiting = 200;
/** For the other side to say that it closes, too. */
const farewellMs = 1_000;

/** From the upgrade to the close. */
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

  /** Says how far the transcript is, and takes what comes from then on. */
  begin({ meetingId, stored }: TranscriptState): void {
    const socket = this.#socket;
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    socket.on('pong', () => void (this.#isAlive = true));
    // What is no WebSocket any more is closed by the library, which says why.
    socket.on('error', () => {});
    socket.once('close', () => this.#leave());
    this.#say({ type: 'ready', sessionId: this.#id, meetingId, seq: stored });
    this.#lookLater();
  }

  /** Ends it when what is at work is done, with a code that says why. */
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
      this.#tell(await perform(addToTranscript, this.#session, input, ofMessage(context)));
    } catch (error) {
      this.#refuse(error);
    }
  }

  #tell({ stored, isStopped }: TranscriptState): void {
    if (isStopped) this.end(closeCodes.stopped, 'The recording was stopped');
    else this.#say({ type: 'ack', seq: stored });
  }

  /** A message that is wrong is told so; where no other would fare better, this is the end. */
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

  /** Whether the connection, and all else, is still there. */
  async #lookAgain(): Promise<void> {
    const { idleMs } = this.#parts.times;
    // What is not read meanwhile may be the pong.
    if (!this.#isAlive && this.#waiting === 0) return this.#socket.terminate();
    if (performance.now() - this.#heardAt > idleMs) return this.end(closeCodes.idle, 'Nothing was said for long');
    this.#isAlive = false;
    this.#socket.ping();
    await this.look();
  }

  /** Whether caller and transcript are still there; else this is the end. */
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

/** Nothing of the upgrade's own: neither its time, nor what it counted. */
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

/** Throws VALIDATION_ERROR. */
function messageIn(text: string): JsonObject {
  const read = storableJson(text);
  if ('problem' in read) throw errors.validation(`The message ${read.problem}`);
  if (!isObject(read.value)) throw errors.validation('The message must be a JSON object');
  const { type = null, ...rest } = read.value;
  if (type === 'segments') return rest;
  const given = typeof type === 'string' ? `, not ${quoted(type)}` : '';
  throw errors.validation(`type must be segments${given}`);
}
