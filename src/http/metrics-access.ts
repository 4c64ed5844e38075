/** Access to metrics: from this machine, or with the metrics token. */
import type { FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import { isSameSecret } from '../lib/same-secret.ts';
import { isFromHere } from './client-address.ts';

/** A hook that admits only readers of metrics. Throws UNAUTHORIZED. */
export function admitReader(token: string | undefined): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (token !== undefined && isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) return;
    if (isFromHere(request)) return;
    throw errors.unauthorized(
      'Metrics are told on this machine alone, or to whoever sends KITH_METRICS_TOKEN: Authorization: Bearer …',
    );
  };
}
