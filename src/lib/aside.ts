/**
 * Work in a single worker thread, started for the first piece and ended after an idle minute. It handles one piece at
 * a time; others are queued here, where an aborted request removes its own, and organizations take turns.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { orAborted } from './or-aborted.ts';

const idleMs = 60_000;

/** The worker's answer. `isProblem`: the input is refused; otherwise the worker has failed. */
export type WorkerAnswer<Made> = { readonly made: Made } | { readonly message: string; readonly isProblem: boolean };

/** The input cannot be processed; the message, for the client, says why. */
export class AsideProblem extends Error {}

type Piece = string | Uint8Array;

/** The requester of a piece. */
export interface Asker {
  readonly organizationId: string;
  readonly signal: AbortSignal;
}

interface Bounds {
  /** A piece that takes longer is refused, and its thread terminated. */
  readonly maxMs?: number;
  readonly resourceLimits?: WorkerOptions['resourceLimits'];
}

/**
 * Processes pieces with the module at `url`. The returned function rejects with AsideProblem, or at the end of the
 * request.
 */
export function createAside<Made>(url: URL, bounds: Bounds = {}): (given: Piece, asker: Asker) => Promise<Made> {
  const line = new Line<Made>();
  let isAtWork = false;
  let thread: Thread<Made> | undefined;

  // The requester gets the error of a failed thread start, too.
  async function work(given: Piece): Promise<Made> {
    if (!thread || thread.hasEnded) thread = new Thread(url, bounds);
    return thread.work(given);
  }

  async function workOff(): Promise<void> {
    if (isAtWork) return;
    isAtWork = true;
    for (let piece = line.next(); piece; piece = line.next()) await work(piece.given).then(piece.resolve, piece.reject);
    isAtWork = false;
  }

  return async (given, { organizationId, signal }) => {
    signal.throwIfAborted();
    const piece = { given, ...Promise.withResolvers<Made>() };
    line.join(organizationId, piece);
    void workOff();
    try {
      return await orAborted(piece.promise, signal);
    } finally {
      line.leave(organizationId, piece);
    }
  };
}

type QueuedPiece<Made> = PromiseWithResolvers<Made> & { readonly given: Piece };

class Line<Made> {
  /** By organization, the next one first. */
  readonly #waiting = new Map<string, Set<QueuedPiece<Made>>>();

  join(organizationId: string, piece: QueuedPiece<Made>): void {
    const own = this.#waiting.get(organizationId) ?? new Set();
    this.#waiting.set(organizationId, own.add(piece));
  }

  leave(organizationId: string, piece: QueuedPiece<Made>): void {
    const own = this.#waiting.get(organizationId);
    own?.delete(piece);
    if (own?.size === 0) this.#waiting.delete(organizationId);
  }

  /** Dequeues the next piece, and moves its organization to the end. */
  next(): QueuedPiece<Made> | undefined {
    for (const [organizationId, own] of this.#waiting) {
      this.#waiting.delete(organizationId);
      const [piece] = own;
      if (!piece) continue;
      own.delete(piece);
      if (own.size > 0) this.#waiting.set(organizationId, own);
      return piece;
    }
    return undefined;
  }
}

class Thread<Made> {
  /** Whether it accepts no more pieces. */
  hasEnded = false;
  readonly #worker: Worker;
  readonly #maxMs: number | undefined;
  #current: PromiseWithResolvers<Made> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: URL, { maxMs, resourceLimits }: Bounds) {
    this.#maxMs = maxMs;
    this.#worker = new Worker(url, { execArgv: typeStripping(), ...(resourceLimits && { resourceLimits }) });
    this.#worker.on('message', (answer: WorkerAnswer<Made>) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(isOutOfMemory(error) ? new AsideProblem(tooLarge) : error));
    this.#worker.on('exit', () => this.#fail(new Error('The thread has ended')));
  }

  /** Processes a piece; the thread must be idle. */
  work(given: Piece): Promise<Made> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    this.#current = Promise.withResolvers<Made>();
    if (this.#maxMs !== undefined) {
      const seconds = Math.round(this.#maxMs / 1_000);
      this.#timer = setTimeout(() => {
        this.#fail(new AsideProblem(`takes longer than ${seconds} seconds to read`));
        void this.#worker.terminate();
      }, this.#maxMs);
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
    this.#worker.postMessage(given);
    return this.#current.promise;
  }

  #receive(answer: WorkerAnswer<Made>): void {
    this.#rest();
    if ('made' in answer) this.#current?.resolve(answer.made);
    else this.#current?.reject(answer.isProblem ? new AsideProblem(answer.message) : new Error(answer.message));
  }

  #rest(): void {
    clearTimeout(this.#timer);
    // An idle thread must not keep the process alive.
    this.#worker.unref();
    this.#timer = setTimeout(() => {
      this.hasEnded = true;
      void this.#worker.terminate();
    }, idleMs).unref();
  }

  #fail(error: Error): void {
    this.hasEnded = true;
    clearTimeout(this.#timer);
    this.#current?.reject(error);
  }
}

const tooLarge = 'takes more memory than there is for it';

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Below node_modules, Node does not strip types by itself, and a thread does not inherit the hooks that do. */
function typeStripping(): string[] {
  if (!import.meta.url.includes('/node_modules/')) return [];
  return ['--import', new URL('../../bin/strip-types.js', import.meta.url).href];
}
