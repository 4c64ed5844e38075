/** By which address apps know the service, and so whom their tokens are for: the operator's, else that at which it listens. */
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../lib/loopback.ts';
import type { People } from './browser/browser-door.ts';

export type IssuerOf = (request: FastifyRequest) => string;

/**
 * Where the operator says nothing, this machine is known by each of its own names: an app believes nobody who calls himself
 * otherwise than it did.
 */
export function issuerOf({ publicUrl, signIn }: Pick<People, 'publicUrl' | 'signIn'>): IssuerOf {
  return (request) => {
    if (publicUrl !== undefined) return publicUrl;
    const isOwn = isLoopback(request.hostname) && Number(request.port) === request.socket.localPort;
    return isOwn ? `http://${canonical(request.host)}` : signIn.address();
  };
}

/** There are few of them, each with an authorization server of its own. */
function canonical(host: string): string {
  const name = host.toLowerCase();
  return name.startsWith('127.') ? name.replace(/^[\d.]+/, '127.0.0.1') : name;
}
