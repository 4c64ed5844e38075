/** The address of a request's client, for rate limits, and whether it is this machine. */
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The client's address as rate limits count it. IPv6 counts by /64, the smallest network that a client is given. IPv4
 * addresses have one form.
 */
export function countedAddress({ ip, socket }: FastifyRequest): string {
  if (ip !== latest.ip) latest = { ip, network: networkOf(ip) };
  return latest.network ?? networkOf(socket.remoteAddress) ?? 'unknown';
}

/** Caches the last address, since each request asks several times. */
let latest: { readonly ip: string | undefined; readonly network: string | undefined } = {
  ip: undefined,
  network: undefined,
};

/** The counted form; undefined for an invalid address, as a trusted proxy may forward anything, sometimes with a port. */
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

/** The eight groups of an IPv6 address, without its zone. */
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
 * Whether the client is a process of this machine: without a proxy, or by a trusted proxy of this machine. Requests that an
 * untrusted proxy forwards are not, whatever their headers say.
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
