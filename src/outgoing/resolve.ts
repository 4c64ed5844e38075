/** Resolves names to addresses. */
import { lookup, Resolver } from 'node:dns/promises';
import { orAborted } from '../lib/or-aborted.ts';

/** The current addresses of a name. Rejects if there are none, or without an answer. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Makes a resolver that uses DNS only, at `servers` if given. The system's lookup would use one of the four threads that
 * files and ciphers need: slow name servers of strangers would block the process.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (name, signal) => {
    // Never resolved by DNS: RFC 6761.
    if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
      if (found.length > 0) return found;
      throw families.find((family) => family.status === 'rejected')?.reason ?? new Error('The name has no address');
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** Resolves as the system does, with its hosts file and search domains: for names that the operator configured. */
export const resolveAsSystem: Resolve = async (name, signal) => {
  const found = await orAborted(lookup(name, { all: true }), signal);
  return found.map(({ address }) => address);
};
