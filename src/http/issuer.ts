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
    const { hostname, port, socket } = request;
    const isOwn = isLoopback(hostname) && (port ?? 80) === socket.localPort;
    // Put together from what it means: the header may spell the port in many ways, and have more between name and port.
    return isOwn ? new URL(`http://${canonical(hostname)}:${socket.localPort}`).origin : signIn.address();
  };
}

/** There are few of them, each with an authorization server of its own. */
function canonical(hostname: string): string {
  return hostname.startsWith('127.') ? '127.0.0.1' : hostname;
}
