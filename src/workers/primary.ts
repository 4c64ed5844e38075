/**
 * Several processes that serve on one port: started, replaced when one ends, stopped together. What they need in common
 * is here, in the process that started them: the listening socket, the budgets, the sum of what they measure.
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
  /** Rejects, with one sentence for the operator, when workers end as soon as they are started. */
  readonly broken: Promise<never>;
}

/** A worker that ends sooner than this after its start is not getting along. */
const briefMillis = 10_000;
const mostBriefLives = 6;
const firstPauseMillis = 50;
const longestPauseMillis = 5_000;
/** Until then requests may finish. */
const breakOffMillis = 9_000;
/** Longer than that; shorter than the service as a whole may take. */
const stopMillis = 9_500;
/** What a worker that hangs may cost the others of that. */
const handoverMillis = 2_000;

/** Resolves when all of them are ready; throws with one sentence for the operator. They stop with `resources`. */
export async function startWorkers(
  parts: Omit<MemberParts, 'handover' | 'url' | 'gather'> & { readonly log: Log },
  resources: AsyncDisposableStack,
): Promise<Workers> {
  const running = new Set<Member>();
  const serving = new Set<Member>();
  const stopping = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {}); // who has stopped listening does not need to know
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
      briefLives = performance.now() - since < briefMillis ? briefLives + 1 : 0;
      parts.log.error({ pid: member.pid, reason }, 'A worker process ended unexpectedly; it is replaced');
      if (briefLives > mostBriefLives) {
        return broken.reject(new Error(`Worker processes end as soon as they are started (${reason}); see the log`));
      }
      const pause = briefLives < 2 ? 0 : Math.min(firstPauseMillis * 2 ** briefLives, longestPauseMillis);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  }

  // Whoever ends without waiting (a second Ctrl-C) does not want requests in flight to be finished.
  const killAll = () => running.forEach((member) => member.kill());
  process.once('exit', killAll);
  let stopTaking = async () => {};
  resources.defer(async () => {
    stopping.abort();
    await stopAll(running, serving, () => stopTaking());
    process.off('exit', killAll);
  });
  const members = Array.from({ length: parts.config.workers }, add);
  // What keeps one from starting keeps all of them.
  await Promise.all(members.map((member) => member.ready));
  for (const member of members) void keep(member);
  const { host, port } = parts.config;
  const listeners = await openListeners(host, port, { take: handover.give, pauseOnConnect: true });
  url.resolve(listeners.url);
  stopTaking = () => endOfTaking(listeners, handover, parts.log);
  return { url: listeners.url, broken: broken.promise };
}

/** Asks each worker, when it is asked. */
function sumOf(serving: ReadonlySet<Member>): () => Promise<string> {
  return sharedAnswer(async () => {
    const measured = [...serving].map((member) => member.measure());
    return sumMetrics(await Promise.all([...measured, measureCaches()]));
  }, gatherEveryMs);
}

/** Resolves when nobody can connect any more and whoever is connected is with a worker, or that takes too long. */
async function endOfTaking(listeners: Listeners, handover: Handover, log: Log): Promise<void> {
  await listeners.close(log);
  await Promise.race([handover.done(), sleep(handoverMillis, undefined, { ref: false })]);
}

async function stopAll(
  running: ReadonlySet<Member>,
  serving: ReadonlySet<Member>,
  first: () => Promise<void>,
): Promise<void> {
  const since = performance.now();
  const late = setTimeout(() => running.forEach((member) => member.kill()), stopMillis);
  // Clients whose connection a worker closes come again, and would be given to another that is about to end.
  await first();
  for (const member of running) {
    if (serving.has(member)) member.stop(breakOffMillis - (performance.now() - since));
    else member.kill(); // it has no requests yet
  }
  await Promise.all([...running].map((member) => member.ended));
  clearTimeout(late);
}
