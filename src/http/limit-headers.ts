/** How an answer tells which budget the request used, and how much of it is left. [spec: Rate limits] */
import type { FastifyReply } from 'fastify';
import type { Verdict } from '../limits/limiter.ts';

/** Sets the headers of the budget that denied, else of the one with the smaller share left; none when nothing was counted. */
export function tellLimits(reply: FastifyReply, verdicts: readonly Verdict[]): void {
  const verdict = tightest(verdicts);
  if (verdict === undefined) return;
  const { policy, limit, remaining } = verdict;
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': verdict.reset,
    'x-ratelimit-policy': policy,
    // draft-ietf-httpapi-ratelimit-headers
    ratelimit: `"${policy}";r=${remaining};t=${verdict.resetAfterSeconds}`,
    'ratelimit-policy': `"${policy}";q=${limit};w=${verdict.windowSeconds}`,
  });
}

function tightest(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.reduce<Verdict | undefined>((tight, next) => {
    if (tight === undefined || !next.allowed) return next;
    return tight.allowed && next.remaining / next.limit < tight.remaining / tight.limit ? next : tight;
  }, undefined);
}
