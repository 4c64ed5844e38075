/** From names to addresses. */
import { lookup, Resolver } from 'node:dns/promises';
import { orAborted } from '../lib/or-aborted.ts';

/** The addresses that a name has now. Rejects where it has none, or nobody answers. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks DNS alone, at `servers` where they are given. The system's own look-up would do so in a thread of the four that files and
 * ciphers need too: slow name servers of a few strangers would hold up the process.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (name, signal) => {
    // Never a question to others: RFC 6761.
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

/** As the machine does, with its file of hosts and its search domains: for names that the operator gave. */
export const resolveAsSystem: Resolve = async (name, signal) => {
  const found = await orAborted(lookup(name, { all: true }), signal);
  return found.map(({ address }) => address);
};
