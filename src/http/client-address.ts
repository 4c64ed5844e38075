/** Where a request comes from: whose budget it uses, and whether that is this machine. */
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The client's address as budgets count it. IPv6 counts by its /64: that is the least which a client is given, and all
 * addresses of it are one client's to choose from. An IPv4 address is the same however it is written.
 */
export function countedAddress({ ip, socket }: FastifyRequest): string {
  if (ip !== latest.ip) latest = { ip, network: networkOf(ip) };
  return latest.network ?? networkOf(socket.remoteAddress) ?? 'unknown';
}

/** Each request asks some times, and many come from one address. */
let latest: { readonly ip: string | undefined; readonly network: string | undefined } = {
  ip: undefined,
  network: undefined,
};

/** Undefined for what is no address: a trusted proxy may forward anything, and some forward the port, too. */
function networkOf(text: string | undefined): string | undefined {
  const address =
    /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/
      .exec(text ?? '')
      ?.slice(1)
      .find(Boolean) ??
    text ??
    '';
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return networkOfGroups(groupsOf(address));
    default:
      return undefined;
  }
}

function networkOfGroups([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]: readonly number[]): string {
  const isMapped = a + b + c + d + e === 0 && f === 0xffff;
  if (isMapped) return [g >> 8, g & 255, h >> 8, h & 255].join('.');
  return `${[a, b, c, d].map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of an IPv6 address; its zone, where there is one, does not count. */
function groupsOf(address: string): readonly number[] {
  const [whole = ''] = address.split('%', 1);
  const [left = [], right = []] = whole.split('::').map((half) => half.split(':').flatMap(groupsOfPiece));
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOfPiece(piece: string): readonly number[] {
  if (piece === '') return [];
  const [a = 0, b = 0, c = 0, d = 0] = piece.split('.').map(Number);
  return piece.includes('.') ? [a * 256 + b, c * 256 + d] : [parseInt(piece, 16)];
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Whether the client is a process of this machine: over no proxy, or over a trusted one of this machine that says so. What
 * a proxy forwards that nobody trusts is not from here, whatever it says.
 */
export function isFromHere({ ip, ips, socket, headers }: FastifyRequest): boolean {
  const isForwarded = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) => headers[name] !== undefined);
  const isTrusted = ips !== undefined && ips.length > 1;
  return isLoopback(socket.remoteAddress) && (isTrusted ? isLoopback(ip) : !isForwarded);
}

function isLoopback(address: string | undefined): boolean {
  const version = isIP(address ?? '');
  return address !== undefined && version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
