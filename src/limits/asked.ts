/**
 * Limits that another process counts, for this one and others: asked in one message for what comes up in one turn of the
 * event loop. A denial is remembered until its end, and nothing is asked meanwhile.
 */
import { bytesOfText, Lru } from '../lib/lru.ts';
import type { Limiter, PolicyId, LimitDecision } from './limiter.ts';

/** One request to be counted; the id finds its answer. */
export type Claim = readonly [id: number, policy: PolicyId, identity: string];
export type ClaimAnswer = readonly [id: number, decision: LimitDecision];

export interface AskedLimiter extends Limiter {
  /** Takes the answers to claims that were asked. */
  answer(answers: readonly ClaimAnswer[]): void;
  /** Nobody answers any more: what is open and what comes is allowed. */
  end(): void;
}

interface Denial {
  readonly decision: LimitDecision;
  /** On the clock of `performance.now`. */
  readonly until: number;
}

/** For so long, and at most twice as long, an answer is waited for. */
const patienceMs = 1_000;

/** A limiter that has another process count; `ask` sends it the claims of one turn. */
export function createAskedLimiter(ask: (claims: readonly Claim[]) => void): AskedLimiter {
  // Whose denial is pushed out is asked for again: what counts is counted by who answers.
  const denials = new Lru<string, Denial>({
    name: 'denials',
    maxBytes: 4 * 1024 * 1024,
    bytesOf: (key) => bytesOfText(key) + 200,
  });
  const open = openClaims();
  let claims: Claim[] = [];
  let ended = false;

  async function verdictOf(policy: PolicyId, identity: string): Promise<LimitDecision | undefined> {
    if (ended) return undefined;
    const { id, answer } = open.add();
    if (claims.length === 0) setImmediate(send);
    claims.push([id, policy, identity]);
    const decision = await answer;
    if (decision && !decision.allowed) {
      denials.set(`${policy} ${identity}`, { decision, until: performance.now() + decision.resetAfterMillis });
    }
    return decision;
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
      return denial && left > 0 ? stillDenied(denial.decision, left) : verdictOf(policy, identity);
    },
    answer(answers) {
      for (const [id, decision] of answers) open.settle(id, decision);
    },
    end() {
      ended = true;
      open.giveUp(Infinity);
    },
  };
}

/** Claims that wait for their answers, none of them for long. */
function openClaims() {
  const open = new Map<number, PromiseWithResolvers<LimitDecision | undefined>>();
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
      const waiting = Promise.withResolvers<LimitDecision | undefined>();
      const id = ++lastId;
      open.set(id, waiting);
      watch ??= watchOver(id);
      return { id, answer: waiting.promise };
    },
    settle(id: number, decision: LimitDecision): void {
      open.get(id)?.resolve(decision);
      open.delete(id);
    },
    giveUp,
  };
}

function stillDenied(decision: LimitDecision, left: number): LimitDecision {
  const seconds = Math.ceil(left / 1000);
  return { ...decision, resetAfterMillis: left, resetAfterSeconds: seconds, retryAfterSeconds: seconds };
}
