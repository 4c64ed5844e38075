/** The operator's exceptions for private hosts: KITH_PRIVATE_HOSTS. */
import { BlockList, isIP } from 'node:net';
import { canonicalHost, withoutBrackets } from './host.ts';

/** An entry; without a port it covers all usual ones. */
export type PrivateHost = { readonly port?: number } & (
  | { readonly name: string }
  | { readonly network: string; readonly bits: number }
);

/** Parses `name`, `address` or `address/bits`, each optionally with `:port`, for which IPv6 needs brackets. Undefined if invalid. */
export function parsePrivateHost(text: string): PrivateHost | undefined {
  const [, host = text, digits] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port === 0 || port > 65_535)) return undefined;
  const named = networkOf(withoutBrackets(host)) ?? nameOf(host);
  return named && { ...named, ...(port !== undefined && { port }) };
}

function networkOf(text: string): { network: string; bits: number } | undefined {
  const [network = '', digits, ...rest] = text.split('/');
  if (isIP(network) === 0 || network.includes('%') || rest.length > 0) return undefined;
  const widest = isIP(network) === 6 ? 128 : 32;
  if (digits === undefined) return { network, bits: widest };
  return /^\d{1,3}$/.test(digits) && Number(digits) <= widest ? { network, bits: Number(digits) } : undefined;
}

function nameOf(text: string): { name: string } | undefined {
  const name = canonicalHost(text);
  return name !== undefined && isIP(name) === 0 && /^[\w-]+(\.[\w-]+)*$/.test(name) ? { name } : undefined;
}

export interface PrivateHosts {
  /** Whether an entry has this name. */
  named(name: string): boolean;
  /** Whether an entry covers the name or its address, for all usual ports or just this one. */
  covers(name: string, address: string, port: number): 'usual ports' | 'this port' | undefined;
}

/** Compiles the entries. */
export function createPrivateHosts(entries: readonly PrivateHost[]): PrivateHosts {
  const rules = entries.map((entry) => ({ port: entry.port, covers: coveredBy(entry) }));
  const names = new Set(entries.flatMap((entry) => ('name' in entry ? [entry.name] : [])));
  return {
    named: (name) => names.has(name),
    covers(name, address, port) {
      const ports = new Set(rules.filter(({ covers }) => covers(name, address)).map((rule) => rule.port));
      if (ports.has(port)) return 'this port';
      return ports.has(undefined) ? 'usual ports' : undefined;
    },
  };
}

function coveredBy(entry: PrivateHost): (name: string, address: string) => boolean {
  if ('name' in entry) return (name) => name === entry.name;
  const list = new BlockList();
  const family = familyOf(entry.network);
  list.addSubnet(entry.network, entry.bits, family);
  // BlockList treats IPv4 addresses as mapped ones; `::/0` covers IPv6 only.
  return (_, address) => (family === 'ipv4' || isIP(address) === 6) && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
