/**
 * Several processes that serve on one port: started, replaced when one ends, stopped together. The starting process
 * holds what they share: the listening socket, the budgets, and the summed metrics.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openListeners, type Listeners } from '../http/listeners.ts';
import { gatherEveryMs, measureCaches, sumMetrics } from '../http/metrics.ts';
import type { Log } from '../lib/log.ts';
import { sharedAnswer } from '../lib/shared-answer.ts';
import { createHandover, type Handover } from './handover.ts';
import { launch, type Member, type MemberParts } from './member.ts';

export interface Workers {
  /** The base URL. */
  readonly url: string;
  /** Rejects, with a sentence for the operator, when workers end right after their start. */
  readonly broken: Promise<never>;
}

/** A worker that ends sooner than this after its start counts as failing. */
const briefMs = 10_000;
const mostBriefLives = 6;
const firstPauseMillis = 50;
const longestPauseMillis = 5_000;
/** How long requests may take to finish. */
const breakOffMs = 9_000;
/** Longer than that, but shorter than the whole service's limit. */
const stopMs = 9_500;
/** The part of that time which a hanging worker may cost the others. */
const handoverMs = 2_000;

/** Resolves when all workers are ready; throws with a sentence for the operator. They stop with `resources`. */
export async function startWorkers(
  parts: Omit<MemberParts, 'handover' | 'url' | 'gather'> & { readonly log: Log },
  resources: AsyncDisposableStack,
): Promise<Workers> {
  const running = new Set<Member>();
  const serving = new Set<Member>();
  const stopping = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {}); // a caller that has stopped listening ignores it
  const gather = sumOf(serving);
  const handover = createHandover();
  const url = Promise.withResolvers<string>();

  function add(): Member {
    const member = launch({ ...parts, handover, url: url.promise, gather });
    running.add(member);
    member.ready.then(() => serving.add(member)).catch(() => {});
    void member.ended.then(() => {
      running.delete(member);
      serving.delete(member);
    });
    return member;
  }

  async function keep(first: Member): Promise<void> {
    let briefLives = 0;
    for (let member = first; ; member = add()) {
      const since = performance.now();
      const reason = await member.ended;
      if (stopping.signal.aborted) return;
      briefLives = performance.now() - since < briefMs ? briefLives + 1 : 0;
      parts.log.error({ pid: member.pid, reason }, 'A worker process ended unexpectedly; it is replaced');
      if (briefLives > mostBriefLives) {
        return broken.reject(new Error(`Worker processes end as soon as they are started (${reason}); see the log`));
      }
      const pause = briefLives < 2 ? 0 : Math.min(firstPauseMillis * 2 ** briefLives, longestPauseMillis);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  }

  // Exiting without waiting (a second Ctrl-C) means not to finish requests.
  const killAll = () => running.forEach((member) => member.kill());
  process.once('exit', killAll);
  let stopTaking = async () => {};
  resources.defer(async () => {
    stopping.abort();
    await stopAll(running, serving, () => stopTaking());
    process.off('exit', killAll);
  });
  const members = Array.from({ length: parts.config.workers }, add);
  // What prevents one worker from starting prevents all.
  await Promise.all(members.map((member) => member.ready));
  for (const member of members) void keep(member);
  const { host, port } = parts.config;
  const listeners = await openListeners(host, port, { take: handover.give, pauseOnConnect: true });
  url.resolve(listeners.url);
  stopTaking = () => endOfTaking(listeners, handover, parts.log);
  return { url: listeners.url, broken: broken.promise };
}

/** Sums the workers' metrics on request. */
function sumOf(serving: ReadonlySet<Member>): () => Promise<string> {
  return sharedAnswer(async () => {
    const measured = [...serving].map((member) => member.measure());
    return sumMetrics(await Promise.all([...measured, measureCaches()]));
  }, gatherEveryMs);
}

/** Resolves when no one can connect any more and all connections are with workers, or after a timeout. */
async function endOfTaking(listeners: Listeners, handover: Handover, log: Log): Promise<void> {
  await listeners.close(log);
  await Promise.race([handover.done(), sleep(handoverMs, undefined, { ref: false })]);
}

async function stopAll(
  running: ReadonlySet<Member>,
  serving: ReadonlySet<Member>,
  first: () => Promise<void>,
): Promise<void> {
  const since = performance.now();
  const late = setTimeout(() => running.forEach((member) => member.kill()), stopMs);
  // Clients of a worker that closes reconnect, and would be given to another worker that is about to end.
  await first();
  for (const member of running) {
    if (serving.has(member)) member.stop(breakOffMs - (performance.now() - since));
    else member.kill(); // it has no requests yet
  }
  await Promise.all([...running].map((member) => member.ended));
  clearTimeout(late);
}
