/** Who may read the metrics: whoever is on this machine, and whoever has the token that was set for them. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import { isFromHere } from './client-address.ts';

/** A hook that lets only readers of metrics pass. It throws UNAUTHORIZED. */
export function admitReader(token: string | undefined): (request: FastifyRequest) => Promise<void> {
  const wanted = token === undefined ? undefined : digest(`Bearer ${token}`);
  return async (request) => {
    const given = digest(request.headers.authorization ?? '');
    if (wanted !== undefined && timingSafeEqual(given, wanted)) return;
    if (isFromHere(request)) return;
    throw errors.unauthorized(
      'Metrics are told on this machine alone, or to whoever sends KITH_METRICS_TOKEN: Authorization: Bearer …',
    );
  };
}

/** Of one length, so that comparing tells nothing. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
