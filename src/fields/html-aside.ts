/**
 * Cleans long HTML beside the event loop: in one thread, which begins with the first text and ends when there is none for a
 * minute. It has one text at a time. The others wait here, where a request that is over takes its own away, and
 * organizations take turns.
 */
import { Worker } from 'node:worker_threads';
import { orAborted } from '../lib/or-aborted.ts';
import { FieldProblem } from './field-problem.ts';
import type { Asker } from './field-type.ts';
import type { CleanHtml } from './html.ts';

const idleMs = 60_000;

/** `isProblem`: the text is refused; else the thread has failed. */
export type Told = { readonly clean: CleanHtml } | { readonly message: string; readonly isProblem: boolean };

type Asked = PromiseWithResolvers<CleanHtml> & { readonly html: string };

/** As `cleanHtml`, which others need not wait for. Rejects with FieldProblem, or as soon as the request is over. */
export async function cleanAside(html: string, { organizationId, signal }: Asker): Promise<CleanHtml> {
  signal.throwIfAborted();
  const asked = { html, ...Promise.withResolvers<CleanHtml>() };
  join(organizationId, asked);
  void workOff();
  try {
    return await orAborted(asked.promise, signal);
  } finally {
    leave(organizationId, asked);
  }
}

/** By organization; the one whose turn it is comes first. */
const waiting = new Map<string, Set<Asked>>();

function join(organizationId: string, asked: Asked): void {
  const own = waiting.get(organizationId) ?? new Set();
  waiting.set(organizationId, own.add(asked));
}

function leave(organizationId: string, asked: Asked): void {
  const own = waiting.get(organizationId);
  own?.delete(asked);
  if (own?.size === 0) waiting.delete(organizationId);
}

/** Takes the next one out of the line, and puts its organization to the end. */
function next(): Asked | undefined {
  for (const [organizationId, own] of waiting) {
    waiting.delete(organizationId);
    const [asked] = own;
    if (!asked) continue;
    own.delete(asked);
    if (own.size > 0) waiting.set(organizationId, own);
    return asked;
  }
  return undefined;
}

let isAtWork = false;

async function workOff(): Promise<void> {
  if (isAtWork) return;
  isAtWork = true;
  for (let asked = next(); asked; asked = next()) await cleanInThread(asked.html).then(asked.resolve, asked.reject);
  isAtWork = false;
}

let thread: Thread | undefined;

async function cleanInThread(html: string): Promise<CleanHtml> {
  if (!thread || thread.hasEnded) thread = new Thread();
  return thread.clean(html);
}

class Thread {
  /** It takes no more. */
  hasEnded = false;
  readonly #worker = new Worker(new URL('html-worker.ts', import.meta.url), { execArgv: typeStripping() });
  #asked: PromiseWithResolvers<CleanHtml> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on('message', (told: Told) => this.#hear(told));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('The thread that cleans HTML has ended')));
  }

  /** Called when it has no other text. */
  clean(html: string): Promise<CleanHtml> {
    clearTimeout(this.#idle);
    this.#worker.ref();
    this.#asked = Promise.withResolvers<CleanHtml>();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
    this.#worker.postMessage(html);
    return this.#asked.promise;
  }

  #hear(told: Told): void {
    this.#rest();
    if ('clean' in told) this.#asked?.resolve(told.clean);
    else this.#asked?.reject(told.isProblem ? new FieldProblem(told.message) : new Error(told.message));
  }

  #rest(): void {
    // A process that has nothing else to do may end.
    this.#worker.unref();
    this.#idle = setTimeout(() => {
      this.hasEnded = true;
      void this.#worker.terminate();
    }, idleMs).unref();
  }

  #fail(error: Error): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    this.#asked?.reject(error);
  }
}

/** Below node_modules, Node strips no types by itself, and a thread does not inherit who does it. */
function typeStripping(): string[] {
  if (!import.meta.url.includes('/node_modules/')) return [];
  return ['--import', new URL('../../bin/strip-types.js', import.meta.url).href];
}
