/** Rate limit headers. [spec: Rate limits] */
import type { FastifyReply } from 'fastify';
import type { LimitDecision } from '../limits/limiter.ts';

/** Sets the headers of the budget that refused, or else of the one with the smaller share left; none if nothing was counted. */
export function setLimitHeaders(reply: FastifyReply, limitDecisions: readonly LimitDecision[]): void {
  const decision = tightest(limitDecisions);
  if (decision === undefined) return;
  const { policy, limit, remaining } = decision;
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': decision.reset,
    'x-ratelimit-policy': policy,
    // draft-ietf-httpapi-ratelimit-headers
    ratelimit: `"${policy}";r=${remaining};t=${decision.resetAfterSeconds}`,
    'ratelimit-policy': `"${policy}";q=${limit};w=${decision.windowSeconds}`,
  });
}

function tightest(limitDecisions: readonly LimitDecision[]): LimitDecision | undefined {
  return limitDecisions.reduce<LimitDecision | undefined>((tight, next) => {
    if (tight === undefined || !next.allowed) return next;
    return tight.allowed && next.remaining / next.limit < tight.remaining / tight.limit ? next : tight;
  }, undefined);
}
