/** The error body, the same on every surface. [spec: Errors] */
import type { KithError } from '../../errors.ts';
import { RateLimited } from '../../limits/limiter.ts';

/** The body of `error`, without its cause. */
export function errorBody(error: KithError): { readonly [key: string]: unknown } {
  const { code, message } = error;
  if (error instanceof RateLimited) {
    const { policy, retryAfterSeconds } = error.decision;
    return { error: 'Too many requests', policy, retryAfterSeconds, code, message };
  }
  if (code === 'UNAUTHORIZED') return { error: 'Unauthorized', code, message };
  if (code === 'INTERNAL_ERROR' || code === 'UNAVAILABLE') {
    return { error: 'Internal server error', code: 'INTERNAL_ERROR', message };
  }
  return {
    code: code === 'STALE' ? 'CONFLICT' : code,
    message,
    ...(error.fieldErrors && { field_errors: error.fieldErrors }),
    ...(error.availableValues && { available_values: error.availableValues }),
  };
}
