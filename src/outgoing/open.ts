/** Connects to a host that a tenant named: resolves it, checks the addresses, and checks the connected one again. */
import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { quoted } from '../errors.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { isPublic } from './addresses.ts';
import { OutgoingError } from './failure.ts';
import { isUsualPort, type Use } from './ports.ts';
import type { PrivateHosts } from './private-hosts.ts';
import { resolveAsSystem, type Resolve } from './resolve.ts';

export interface Target {
  /** Canonical. */
  readonly host: string;
  readonly port: number;
  readonly use: Use;
  /** TLS from the first byte; the certificate must be for `host`. */
  readonly tls: boolean;
  /** Whether only hosts named by the operator are allowed. */
  readonly needsName?: boolean;
}

export interface Ways {
  readonly privateHosts: PrivateHosts;
  readonly resolve: Resolve;
}

/** The most addresses of each family that are tried. */
const mostTried = 3;
const attemptMillis = 1_000;

/** A connected socket, with TLS if `tls` is set. Throws OutgoingError. */
export async function open(target: Target, ways: Ways, signal: AbortSignal): Promise<Socket> {
  const addresses = await allowedAddresses(target, ways, signal);
  const socket = await connected(target, addresses, signal);
  const { remoteAddress = '' } = socket;
  if (!isAllowed(target, remoteAddress, ways)) {
    socket.destroy();
    throw refusal(target, [remoteAddress]);
  }
  return target.tls ? secured(socket, target, signal) : socket;
}

/** The allowed addresses of the host. Throws OutgoingError if there are none. */
export async function allowedAddresses(target: Target, ways: Ways, signal: AbortSignal): Promise<readonly string[]> {
  const found = await addressesOf(target.host, ways, signal);
  const allowed = found.filter((address) => isAllowed(target, address, ways));
  if (allowed.length === 0) throw refusal(target, found);
  return [4, 6].flatMap((family) => allowed.filter((address) => isIP(address) === family).slice(0, mostTried));
}

async function addressesOf(host: string, ways: Ways, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const resolve = ways.privateHosts.named(host) ? resolveAsSystem : ways.resolve;
  try {
    return await resolve(host, signal);
  } catch (error) {
    throw new OutgoingError('unresolved', `The name ${quoted(host)} has no address`, { cause: codeOf(error) });
  }
}

function isAllowed({ host, port, use, needsName }: Target, address: string, { privateHosts }: Ways): boolean {
  const exception = privateHosts.covers(host, address, port);
  if (exception === 'this port') return true;
  if (needsName && exception === undefined) return false;
  return isUsualPort(use, port) && (exception !== undefined || isPublic(address));
}

function refusal({ host, port, use, needsName }: Target, addresses: readonly string[]): OutgoingError {
  if (needsName) {
    const message = `${quoted(host)} is not allowed without TLS: use https://; http:// is for hosts that KITH_PRIVATE_HOSTS names`;
    return new OutgoingError('refused', message, { addresses: addresses.slice(0, 10) });
  }
  const what = isUsualPort(use, port)
    ? `${quoted(host)} is not allowed: Kith connects to public addresses`
    : `Port ${port} of ${quoted(host)} is not allowed: Kith connects to ports that are usual`;
  return new OutgoingError('refused', `${what}, and to others where KITH_PRIVATE_HOSTS names them`, {
    addresses: addresses.slice(0, 10),
  });
}

async function connected({ host, port }: Target, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
  const socket = connect({
    host,
    port,
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMillis,
  });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new OutgoingError('connection', `${quoted(host)} takes no connection on port ${port}`, {
      addresses,
      cause: codeOf(error) ?? messageOf(error),
    });
  }
}

/** A lookup that returns only these addresses, so that a second DNS answer cannot differ. */
export function pinnedTo(addresses: readonly string[]): LookupFunction {
  return (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
}

async function secured(socket: Socket, { host, use }: Target, signal: AbortSignal): Promise<Socket> {
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(use === 'web' && { ALPNProtocols: ['http/1.1'] }),
    // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED could disable it.
    rejectUnauthorized: true,
  });
  try {
    await once(secure, 'secureConnect', { signal });
    return secure;
  } catch (error) {
    secure.destroy();
    const code = codeOf(error) ?? 'no answer';
    throw new OutgoingError('tls', `There is no safe connection to ${quoted(host)}: ${code}`, {
      address: socket.remoteAddress,
      cause: messageOf(error),
    });
  }
}
