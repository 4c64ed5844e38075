/** The issuer of app tokens: the operator's public address, or else the address at which the service listens. */
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../lib/loopback.ts';
import type { People } from './browser/browser-door.ts';

export type IssuerOf = (request: FastifyRequest) => string;

/** Returns the issuer of a request. Without a public address it is the loopback name of the request: apps require the issuer to equal the address they used. */
export function issuerOf({ publicUrl, signIn }: Pick<People, 'publicUrl' | 'signIn'>): IssuerOf {
  return (request) => {
    if (publicUrl !== undefined) return publicUrl;
    const { hostname, port, socket } = request;
    const isOwn = isLoopback(hostname) && (port ?? 80) === socket.localPort;
    // Built from the parsed parts: the header may spell the port in several ways.
    return isOwn ? new URL(`http://${canonical(hostname)}:${socket.localPort}`).origin : signIn.address();
  };
}

/** Maps all of 127.0.0.0/8 to one name, since each issuer has an authorization server of its own. */
function canonical(hostname: string): string {
  return hostname.startsWith('127.') ? '127.0.0.1' : hostname;
}
