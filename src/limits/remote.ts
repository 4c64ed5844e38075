/** A limiter that asks another process, with one message per turn of the event loop. */
import type { Bucket } from './buckets.ts';
import { rememberingDenials } from './denials.ts';
import type { LimiterHere } from './in-process.ts';
import type { Limiter, LimitDecision } from './limiter.ts';
import type { Policies } from './policies.ts';

/** A request to count or to look at; the answer has its id. */
export interface LimitClaim {
  readonly id: number;
  readonly act: 'take' | 'look';
  readonly buckets: readonly Bucket[];
  readonly beside: readonly Bucket[];
}
export type ClaimAnswer = readonly [id: number, decisions: readonly LimitDecision[]];

export interface RemoteLimiter extends Limiter {
  /** Takes the answers to claims. */
  answer(answers: readonly ClaimAnswer[]): void;
  /** Ends asking: open and further claims are allowed. */
  end(): void;
}

/** An answer is awaited for this time, and at most twice as long. */
const patienceMs = 1_000;

/** The counting process's answers to claims. */
export function answersTo(claims: readonly LimitClaim[], limiter: LimiterHere): readonly ClaimAnswer[] {
  return claims.map(({ id, act, buckets, beside }) => [
    id,
    act === 'take' ? limiter.take(buckets, beside) : limiter.look(buckets),
  ]);
}

/** Makes a limiter that sends each turn's claims with `ask` to a process with the same policies. */
export function createRemoteLimiter(policies: Policies, ask: (claims: readonly LimitClaim[]) => void): RemoteLimiter {
  const open = openClaims();
  let claims: LimitClaim[] = [];
  let ended = false;

  function verdict(
    act: LimitClaim['act'],
    buckets: readonly Bucket[],
    beside: readonly Bucket[],
  ): Promise<readonly LimitDecision[] | undefined> {
    if (ended) return Promise.resolve(undefined);
    const { id, answer } = open.add();
    if (claims.length === 0) setImmediate(send);
    claims.push({ id, act, buckets, beside });
    return answer;
  }

  function send(): void {
    const sent = claims;
    claims = [];
    if (!ended) ask(sent);
  }

  return {
    ...rememberingDenials({
      policies,
      take: (buckets, beside = []) => verdict('take', buckets, beside),
      look: (buckets) => verdict('look', buckets, []),
    }),
    answer(answers) {
      for (const [id, decisions] of answers) open.settle(id, decisions);
    },
    end() {
      ended = true;
      open.giveUp(Infinity);
    },
  };
}

/** Open claims with a timeout. */
function openClaims() {
  const open = new Map<number, PromiseWithResolvers<readonly LimitDecision[] | undefined>>();
  let lastId = 0;
  let watch: NodeJS.Timeout | undefined;

  /** Allows claims up to `last`, as when no limiter is available. */
  function giveUp(last: number): void {
    for (const [id, { resolve }] of open) {
      if (id > last) return;
      resolve(undefined);
      open.delete(id);
    }
  }

  /** One timer for all: claims open at its start and at its end have waited too long. */
  function watchOver(last: number): NodeJS.Timeout {
    return setTimeout(() => {
      giveUp(last);
      watch = open.size > 0 ? watchOver(lastId) : undefined;
    }, patienceMs).unref();
  }

  return {
    add() {
      const waiting = Promise.withResolvers<readonly LimitDecision[] | undefined>();
      const id = ++lastId;
      open.set(id, waiting);
      watch ??= watchOver(id);
      return { id, answer: waiting.promise };
    },
    settle(id: number, decisions: readonly LimitDecision[]): void {
      open.get(id)?.resolve(decisions);
      open.delete(id);
    },
    giveUp,
  };
}
