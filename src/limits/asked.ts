/**
 * Limits that another process counts, for this one and others: asked in one message for what comes up in one turn of the
 * event loop. A denial is remembered until its end, and nothing is asked meanwhile.
 */
import { Lru } from '../lib/lru.ts';
import type { Limiter, PolicyId, Verdict } from './limiter.ts';

/** One request to be counted; the id finds its answer. */
export type Claim = readonly [id: number, policy: PolicyId, identity: string];
export type ClaimAnswer = readonly [id: number, verdict: Verdict];

export interface AskedLimiter extends Limiter {
  /** Takes the answers to claims that were asked. */
  answer(answers: readonly ClaimAnswer[]): void;
  /** Nobody answers any more: what is open and what comes is allowed. */
  end(): void;
}

interface Denial {
  readonly verdict: Verdict;
  /** On the clock of `performance.now`. */
  readonly until: number;
}

const mostDenials = 10_000;

export function createAskedLimiter(ask: (claims: readonly Claim[]) => void): AskedLimiter {
  const denials = new Lru<string, Denial>(mostDenials);
  const open = new Map<number, PromiseWithResolvers<Verdict | undefined>>();
  let claims: Claim[] = [];
  let ended = false;
  let lastId = 0;

  async function verdictOf(policy: PolicyId, identity: string): Promise<Verdict | undefined> {
    if (ended) return undefined;
    const answer = Promise.withResolvers<Verdict | undefined>();
    const id = ++lastId;
    open.set(id, answer);
    if (claims.length === 0) setImmediate(send);
    claims.push([id, policy, identity]);
    const verdict = await answer.promise;
    if (verdict && !verdict.allowed) {
      denials.set(`${policy} ${identity}`, { verdict, until: performance.now() + verdict.resetAfterMillis });
    }
    return verdict;
  }

  function send(): void {
    const asked = claims;
    claims = [];
    if (!ended) ask(asked);
  }

  return {
    take(policy, identity) {
      const denial = denials.get(`${policy} ${identity}`);
      const left = denial ? denial.until - performance.now() : 0;
      return denial && left > 0 ? stillDenied(denial.verdict, left) : verdictOf(policy, identity);
    },
    answer(answers) {
      for (const [id, verdict] of answers) {
        open.get(id)?.resolve(verdict);
        open.delete(id);
      }
    },
    end() {
      ended = true;
      for (const { resolve } of open.values()) resolve(undefined);
      open.clear();
    },
  };
}

function stillDenied(verdict: Verdict, left: number): Verdict {
  const seconds = Math.ceil(left / 1000);
  return { ...verdict, resetAfterMillis: left, resetAfterSeconds: seconds, retryAfterSeconds: seconds };
}
