/**
 * Clients that send writes at a steady rate, through restarts; every request that got no answer is counted. Most keep their
 * connections, as the clients of a service do; the others are those that a listening socket loses when it is closed.
 */
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  /** Ids of the records that were answered. */
  readonly created: readonly string[];
  /** What became of requests that were sent and not answered with a record: when, on what connection, why. */
  readonly lost: readonly string[];
  /** Milliseconds since it began. */
  now(): number;
  /** Resolves when so many more were answered. */
  more(count: number): Promise<void>;
  /** Resolves when all that was sent is over. */
  stop(): Promise<void>;
}

type Send = (body: string) => Promise<string>;

/** There was no connection, since nobody listens any more: nothing was sent. */
class Refused extends Error {}

const mostAtOnce = 100;
const tickMs = 10;

/** Of five requests, two go through an agent of `node:http`, two through `fetch`, and one on a connection of its own. */
export function keepAliveLoad(url: string, token: string, perSecond: number): Load {
  const path = `${url}/api/v1/records/contacts`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const agent = new Agent({ keepAlive: true, maxSockets: mostAtOnce / 2 });
  const kept = [byAgent(path, headers, agent), byFetch(path, headers)];
  const senders = [...kept, ...kept, byAgent(path, headers, new Agent({ keepAlive: false }))];
  const created: string[] = [];
  const lost: string[] = [];
  const open = new Set<Promise<void>>();
  let sent = 0;

  const began = performance.now();
  const now = () => Math.round(performance.now() - began);

  async function one(send: Send, name: string): Promise<void> {
    for (;;) {
      try {
        created.push(await send(JSON.stringify({ first_name: name })));
        return;
      } catch (error) {
        if (!(error instanceof Refused)) return void lost.push(`${now()} ms: ${String(error)}`);
        await sleep(20);
      }
    }
  }

  let due = 0;
  const timer = setInterval(() => {
    // What could not be sent in its time, because too many wait, is not made up for.
    const until = ((performance.now() - began) / 1_000) * perSecond;
    for (due = Math.max(due, until - (2 * tickMs * perSecond) / 1_000); due < until; due++) {
      if (open.size >= mostAtOnce) continue;
      const number = sent++;
      const work = one(senders[number % senders.length]!, `load ${number}`).finally(() => open.delete(work));
      open.add(work);
    }
  }, tickMs);

  return {
    created,
    lost,
    now,
    async more(count) {
      for (const enough = created.length + count; created.length < enough;) await sleep(tickMs);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
    },
  };
}

function byAgent(path: string, headers: Record<string, string>, agent: Agent): Send {
  return (body) =>
    new Promise((resolve, reject) => {
      const sent = request(path, { method: 'POST', agent, headers }, (response) => {
        json(response)
          .then((answer) => resolve(idIn(response.statusCode ?? 0, answer)), reject)
          .catch(reject);
      });
      const which = () => (sent.reusedSocket ? 'on a kept connection' : 'on a new connection');
      sent.on('error', (error) => reject(judged(error, which())));
      sent.end(body);
    });
}

function byFetch(path: string, headers: Record<string, string>): Send {
  return async (body) => {
    const response = await fetch(path, { method: 'POST', headers, body }).catch((error: unknown) => {
      throw judged(error instanceof Error ? (error.cause ?? error) : error, 'by fetch');
    });
    return idIn(response.status, await response.json());
  };
}

function judged(error: unknown, where: string): unknown {
  const isRefused = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return isRefused ? new Refused() : new Error(`${String(error)} ${where}`, { cause: error });
}

function idIn(status: number, answer: unknown): string {
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`);
  return (answer as { id: string }).id;
}
