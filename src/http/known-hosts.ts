/**
 * By which names this service is called. A page of somebody else's can have its own name point at this machine, and then ask
 * as if it were this service's page: such a request carries that name.
 */
import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request with these headers came to a name of this service, and not from a page of another one. */
export type IsKnownHost = (headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>) => boolean;

/**
 * `names` are those that the operator gave the service, beside those of the machine itself; pages of `origins` may ask as well.
 */
export function knownHosts(names: readonly string[], origins: readonly string[] = []): IsKnownHost {
  const allowed = new Set(origins);
  const known = new Set(['localhost', '127.0.0.1', '[::1]', ...names.map((name) => name.toLowerCase())]);
  return ({ host, origin }) => {
    const called = hostOf(`http://${host ?? ''}`);
    // Of a number nobody can say where it points.
    if (called === undefined || !(known.has(called) || isNumber(called))) return false;
    if (origin === undefined || allowed.has(origin)) return true;
    const page = hostOf(origin);
    return page !== undefined && (known.has(page) || page === called);
  };
}

/** The host of an address, with the brackets of IPv6; undefined for what is none, such as the origin `null`. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.hostname : undefined;
}

function isNumber(host: string): boolean {
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
