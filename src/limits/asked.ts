/**
 * Limits that another process counts, for this one and others: asked in one message for what comes up in one turn of the
 * event loop.
 */
import type { Bucket } from './buckets.ts';
import { rememberingDenials } from './denials.ts';
import type { LimiterHere } from './in-process.ts';
import type { Limiter, LimitDecision } from './limiter.ts';
import type { Policies } from './policies.ts';

/** One request to be counted, or a look; the id finds its answer. */
export interface Claim {
  readonly id: number;
  readonly act: 'take' | 'look';
  readonly buckets: readonly Bucket[];
  readonly beside: readonly Bucket[];
}
export type ClaimAnswer = readonly [id: number, decisions: readonly LimitDecision[]];

export interface AskedLimiter extends Limiter {
  /** Takes the answers to claims that were asked. */
  answer(answers: readonly ClaimAnswer[]): void;
  /** Nobody answers any more: what is open and what comes is allowed. */
  end(): void;
}

/** For so long, and at most twice as long, an answer is waited for. */
const patienceMs = 1_000;

/** What the process that counts says to claims. */
export function answersTo(claims: readonly Claim[], limiter: LimiterHere): readonly ClaimAnswer[] {
  return claims.map(({ id, act, buckets, beside }) => [
    id,
    act === 'take' ? limiter.take(buckets, beside) : limiter.look(buckets),
  ]);
}

/** A limiter that has another process count by the same policies; `ask` sends it the claims of one turn. */
export function createAskedLimiter(policies: Policies, ask: (claims: readonly Claim[]) => void): AskedLimiter {
  const open = openClaims();
  let claims: Claim[] = [];
  let ended = false;

  function verdict(
    act: Claim['act'],
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
    const asked = claims;
    claims = [];
    if (!ended) ask(asked);
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

/** Claims that wait for their answers, none of them for long. */
function openClaims() {
  const open = new Map<number, PromiseWithResolvers<readonly LimitDecision[] | undefined>>();
  let lastId = 0;
  let watch: NodeJS.Timeout | undefined;

  /** Those up to `last` are allowed, as where nobody can tell. */
  function giveUp(last: number): void {
    for (const [id, { resolve }] of open) {
      if (id > last) return;
      resolve(undefined);
      open.delete(id);
    }
  }

  /** One timer for all: who waited when it began, and still does when it ends, has waited for too long. */
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
