/**
 * Several processes that serve on one port: started, replaced when one ends, stopped together. What they need in common
 * is here, in the process that started them: the listening socket, the budgets, the sum of what they measure.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatherEveryMs, measureCaches, sumMetrics } from '../http/metrics.ts';
import type { Log } from '../lib/log.ts';
import { sharedAnswer } from '../lib/shared-answer.ts';
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
/** Longer than requests get to finish; shorter than the service as a whole may take. */
const stopMillis = 9_500;
/** What a worker that hangs may cost the others of that. */
const deafMillis = 2_000;

/** Resolves when all of them are ready; throws with one sentence for the operator. They stop with `resources`. */
export async function startWorkers(
  parts: Omit<MemberParts, 'gather'> & { readonly log: Log },
  resources: AsyncDisposableStack,
): Promise<Workers> {
  const running = new Set<Member>();
  const serving = new Set<Member>();
  const stopping = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {}); // who has stopped listening does not need to know
  // Each worker asks when it is asked.
  const gather = sharedAnswer(async () => {
    const measured = [...serving].map((member) => member.measure());
    return sumMetrics(await Promise.all([...measured, measureCaches()]));
  }, gatherEveryMs);

  function add(config: MemberParts['config']): Member {
    const member = launch({ ...parts, config, gather });
    running.add(member);
    member.ready.then(() => serving.add(member)).catch(() => {});
    void member.ended.then(() => {
      running.delete(member);
      serving.delete(member);
    });
    return member;
  }

  async function keep(first: Member, config: MemberParts['config']): Promise<void> {
    let briefLives = 0;
    for (let member = first; ; member = add(config)) {
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
  resources.defer(async () => {
    stopping.abort();
    await stopAll(running, serving);
    process.off('exit', killAll);
  });
  const { host, port, workers } = parts.config;
  const config = { ...parts.config, port: port === 0 ? await freePort(host) : port };
  const members = Array.from({ length: workers }, () => add(config));
  // What keeps one from starting keeps all of them.
  const [url = ''] = await Promise.all(members.map((member) => member.ready));
  for (const member of members) void keep(member, config);
  return { url, broken: broken.promise };
}

/** Workers share a socket by its address: one that each could choose anew would not be the same after all have ended. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function stopAll(running: ReadonlySet<Member>, serving: ReadonlySet<Member>): Promise<void> {
  const late = setTimeout(() => running.forEach((member) => member.kill()), stopMillis);
  // All of them first: clients whose connection one closes come again, and would be given to another that is about to end.
  await Promise.race([
    Promise.all([...serving].map((member) => member.stopListening())),
    sleep(deafMillis, undefined, { ref: false }),
  ]);
  for (const member of running) {
    if (serving.has(member)) member.stop();
    else member.kill(); // it has no requests yet
  }
  await Promise.all([...running].map((member) => member.ended));
  clearTimeout(late);
}
