/** Checks the host names by which the service is called, against DNS rebinding: another site's name that points to this machine. */
import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

/** Whether the Host header names this service and the Origin header, if any, is allowed. */
export type IsKnownHost = (headers: Pick<IncomingHttpHeaders, 'host' | 'origin'>) => boolean;

/** Makes the check. `names` are the operator's host names, besides those of the machine itself; pages of `origins` may call, too. */
export function knownHosts(names: readonly string[], origins: readonly string[] = []): IsKnownHost {
  const allowed = new Set(origins);
  const known = new Set(['localhost', '127.0.0.1', '[::1]', ...names.map((name) => name.toLowerCase())]);
  return ({ host, origin }) => {
    const called = hostOf(`http://${host ?? ''}`);
    // DNS rebinding needs a name: IP addresses are allowed.
    if (called === undefined || !(known.has(called) || isNumber(called))) return false;
    if (origin === undefined || allowed.has(origin)) return true;
    const page = hostOf(origin);
    return page !== undefined && (known.has(page) || page === called);
  };
}

/** The host of a URL, with brackets for IPv6; undefined if invalid, such as the origin `null`. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.hostname : undefined;
}

function isNumber(host: string): boolean {
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
