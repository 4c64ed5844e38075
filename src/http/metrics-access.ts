/** Who may read the metrics: whoever is on this machine, and whoever has the token that was set for them. */
import type { FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import { isSameSecret } from '../lib/same-secret.ts';
import { isFromHere } from './client-address.ts';

/** A hook that lets only readers of metrics pass. It throws UNAUTHORIZED. */
export function admitReader(token: string | undefined): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (token !== undefined && isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) return;
    if (isFromHere(request)) return;
    throw errors.unauthorized(
      'Metrics are told on this machine alone, or to whoever sends KITH_METRICS_TOKEN: Authorization: Bearer …',
    );
  };
}
