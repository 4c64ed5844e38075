/** Cleans long HTML beside the event loop: in one thread, which begins with the first text and ends when there is none for a minute. */
import { Worker } from 'node:worker_threads';
import { FieldProblem } from './field-problem.ts';
import type { CleanHtml } from './html.ts';

const idleMs = 60_000;

export interface Asked {
  readonly id: number;
  readonly html: string;
}

/** `isProblem`: the text is refused; else the thread has failed. */
export type Told =
  | { readonly id: number; readonly clean: CleanHtml }
  | { readonly id: number; readonly message: string; readonly isProblem: boolean };

/** As `cleanHtml`, which others need not wait for. Rejects with FieldProblem. */
export function cleanAside(html: string): Promise<CleanHtml> {
  thread ??= startThread(() => (thread = undefined));
  return thread.clean(html);
}

interface Thread {
  clean(html: string): Promise<CleanHtml>;
}

let thread: Thread | undefined;

/** `ended` is called when it takes no more. */
function startThread(ended: () => void): Thread {
  const worker = new Worker(new URL('html-worker.ts', import.meta.url), { execArgv: typeStripping() });
  const waiting = new Map<number, PromiseWithResolvers<CleanHtml>>();
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  function fail(error: Error): void {
    ended();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function rest(): void {
    // A process that has nothing else to do may end.
    worker.unref();
    idle = setTimeout(() => {
      ended();
      void worker.terminate();
    }, idleMs).unref();
  }

  worker.on('message', (told: Told) => {
    const asked = waiting.get(told.id);
    waiting.delete(told.id);
    if (waiting.size === 0) rest();
    if ('clean' in told) asked?.resolve(told.clean);
    else asked?.reject(told.isProblem ? new FieldProblem(told.message) : new Error(told.message));
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The thread that cleans HTML has ended')));
  return {
    clean(html) {
      const asked = Promise.withResolvers<CleanHtml>();
      clearTimeout(idle);
      worker.ref();
      waiting.set(++lastId, asked);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of threads has none
      worker.postMessage({ id: lastId, html } satisfies Asked);
      return asked.promise;
    },
  };
}

/** Below node_modules, Node strips no types by itself, and a thread does not inherit who does it. */
function typeStripping(): string[] {
  if (!import.meta.url.includes('/node_modules/')) return [];
  return ['--import', new URL('../../bin/strip-types.js', import.meta.url).href];
}
