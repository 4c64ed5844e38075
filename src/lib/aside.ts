/**
 * Work beside the event loop: in one thread, which begins with the first piece and ends when there is none for a minute. It has
 * one piece at a time. The others wait here, where a request that is over takes its own away, and organizations take turns.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { orAborted } from './or-aborted.ts';

const idleMs = 60_000;

/** What the thread's module answers for a piece. `isProblem`: what was given is refused; else the thread has failed. */
export type Told<Made> = { readonly made: Made } | { readonly message: string; readonly isProblem: boolean };

/** What was given cannot be worked on; the message says why, to whoever gave it. */
export class AsideProblem extends Error {}

type Piece = string | Uint8Array;

/** Who waits for a piece. */
export interface Asker {
  readonly organizationId: string;
  readonly signal: AbortSignal;
}

interface Bounds {
  /** A piece that takes longer is refused, and the thread with it ended. */
  readonly maxMs?: number;
  readonly resourceLimits?: WorkerOptions['resourceLimits'];
}

/** Has the pieces worked on by the module at `url`. What is returned rejects with AsideProblem, or as soon as the request is over. */
export function createAside<Made>(url: URL, bounds: Bounds = {}): (given: Piece, asker: Asker) => Promise<Made> {
  const line = new Line<Made>();
  let isAtWork = false;
  let thread: Thread<Made> | undefined;

  // Also what cannot begin a thread is for whoever asked.
  async function work(given: Piece): Promise<Made> {
    if (!thread || thread.hasEnded) thread = new Thread(url, bounds);
    return thread.work(given);
  }

  async function workOff(): Promise<void> {
    if (isAtWork) return;
    isAtWork = true;
    for (let asked = line.next(); asked; asked = line.next()) await work(asked.given).then(asked.resolve, asked.reject);
    isAtWork = false;
  }

  return async (given, { organizationId, signal }) => {
    signal.throwIfAborted();
    const asked = { given, ...Promise.withResolvers<Made>() };
    line.join(organizationId, asked);
    void workOff();
    try {
      return await orAborted(asked.promise, signal);
    } finally {
      line.leave(organizationId, asked);
    }
  };
}

type Asked<Made> = PromiseWithResolvers<Made> & { readonly given: Piece };

class Line<Made> {
  /** By organization; the one whose turn it is comes first. */
  readonly #waiting = new Map<string, Set<Asked<Made>>>();

  join(organizationId: string, asked: Asked<Made>): void {
    const own = this.#waiting.get(organizationId) ?? new Set();
    this.#waiting.set(organizationId, own.add(asked));
  }

  leave(organizationId: string, asked: Asked<Made>): void {
    const own = this.#waiting.get(organizationId);
    own?.delete(asked);
    if (own?.size === 0) this.#waiting.delete(organizationId);
  }

  /** Takes the next one out, and puts its organization to the end. */
  next(): Asked<Made> | undefined {
    for (const [organizationId, own] of this.#waiting) {
      this.#waiting.delete(organizationId);
      const [asked] = own;
      if (!asked) continue;
      own.delete(asked);
      if (own.size > 0) this.#waiting.set(organizationId, own);
      return asked;
    }
    return undefined;
  }
}

class Thread<Made> {
  /** It takes no more. */
  hasEnded = false;
  readonly #worker: Worker;
  readonly #maxMs: number | undefined;
  #asked: PromiseWithResolvers<Made> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: URL, { maxMs, resourceLimits }: Bounds) {
    this.#maxMs = maxMs;
    this.#worker = new Worker(url, { execArgv: typeStripping(), ...(resourceLimits && { resourceLimits }) });
    this.#worker.on('message', (told: Told<Made>) => this.#hear(told));
    this.#worker.on('error', (error) => this.#fail(isOutOfMemory(error) ? new AsideProblem(tooLarge) : error));
    this.#worker.on('exit', () => this.#fail(new Error('The thread has ended')));
  }

  /** Called when it has no other piece. */
  work(given: Piece): Promise<Made> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    this.#asked = Promise.withResolvers<Made>();
    if (this.#maxMs !== undefined) {
      const seconds = Math.round(this.#maxMs / 1_000);
      this.#timer = setTimeout(() => {
        this.#fail(new AsideProblem(`takes longer than ${seconds} seconds to read`));
        void this.#worker.terminate();
      }, this.#maxMs);
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
    this.#worker.postMessage(given);
    return this.#asked.promise;
  }

  #hear(told: Told<Made>): void {
    this.#rest();
    if ('made' in told) this.#asked?.resolve(told.made);
    else this.#asked?.reject(told.isProblem ? new AsideProblem(told.message) : new Error(told.message));
  }

  #rest(): void {
    clearTimeout(this.#timer);
    // A process that has nothing else to do may end.
    this.#worker.unref();
    this.#timer = setTimeout(() => {
      this.hasEnded = true;
      void this.#worker.terminate();
    }, idleMs).unref();
  }

  #fail(error: Error): void {
    this.hasEnded = true;
    clearTimeout(this.#timer);
    this.#asked?.reject(error);
  }
}

const tooLarge = 'takes more memory than there is for it';

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Below node_modules, Node strips no types by itself, and a thread does not inherit who does it. */
function typeStripping(): string[] {
  if (!import.meta.url.includes('/node_modules/')) return [];
  return ['--import', new URL('../../bin/strip-types.js', import.meta.url).href];
}
