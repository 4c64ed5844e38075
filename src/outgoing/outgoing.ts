/** The only way out of the service, for hosts that tenants name: it restricts addresses, time and size. */
import type { LookupFunction, Socket } from 'node:net';
import { quoted } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { orAborted } from '../lib/or-aborted.ts';
import { OutgoingError } from './failure.ts';
import { canonicalHost } from './host.ts';
import { allowedAddresses, open, pinnedTo, type Target } from './open.ts';
import type { Use } from './ports.ts';
import { createPrivateHosts, type PrivateHost } from './private-hosts.ts';
import {
  send,
  sendForStream,
  targetOf,
  type OutgoingAnswer,
  type OutgoingRequest,
  type StreamBounds,
  type StreamedAnswer,
} from './request.ts';
import { createResolve, type Resolve } from './resolve.ts';

interface Limits {
  /** The total time; defaults to 10 seconds, at most two minutes. */
  readonly timeoutMs?: number;
  /** Ends it earlier, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

interface AnswerLimits extends Limits {
  /** The most bytes of the answer's body, compressed and decompressed; defaults to 64 KiB, at most 16 MiB. With 0 only the head is read. */
  readonly maxBytes?: number;
}

/** `timeoutMs` limits the head; the body is limited by `signal` only. */
interface StreamLimits extends Limits, StreamBounds {
  readonly signal: AbortSignal;
}

interface OutgoingHost {
  /** As the tenant wrote it. */
  readonly host: string;
  readonly port: number;
  readonly use: Use;
  /** TLS from the first byte; without it, a driver may start TLS later, with `host` as the server name. */
  readonly tls: boolean;
}

export interface Outgoing {
  /** Sends one HTTP request. Throws OutgoingError. */
  request(request: OutgoingRequest, limits?: AnswerLimits): Promise<OutgoingAnswer>;
  /** Sends one HTTP request whose answer is streamed. Throws OutgoingError, and so does its body. */
  stream(request: OutgoingRequest, limits: StreamLimits): Promise<StreamedAnswer>;
  /** Checks whether the request would be allowed, without connecting. Throws OutgoingError. */
  judge(request: OutgoingRequest, limits?: Limits): Promise<void>;
  /** Opens a connection for another protocol, which the caller must close. Throws OutgoingError. */
  connect(host: OutgoingHost, limits?: Limits): Promise<Socket>;
  /** A lookup with the allowed addresses, for a driver that connects itself. Throws OutgoingError. */
  pinned(host: OutgoingHost, limits?: Limits): Promise<LookupFunction>;
}

interface Parts {
  readonly privateHosts: readonly PrivateHost[];
  /** Gets the details of refusals and failures. */
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Defaults to DNS. */
  readonly resolve?: Resolve;
}

const defaultMillis = 10_000;
const longestMillis = 120_000;
const defaultBytes = 65_536;
const mostBytes = 16_777_216;

/** Makes the outgoing connections, with the operator's exceptions. */
export function createOutgoing({ privateHosts, log, resolve = createResolve() }: Parts): Outgoing {
  const ways = { privateHosts: createPrivateHosts(privateHosts), resolve };
  return {
    async request(request, { maxBytes = defaultBytes, ...limits } = {}) {
      if (!(maxBytes <= mostBytes)) throw new RangeError(`maxBytes is ${mostBytes} at most`);
      const target = targetOf(request);
      return within(target, limits, log, async (signal) =>
        send(await open(target, ways, signal), request, maxBytes, signal),
      );
    },
    async stream(request, { maxBytes, idleMs, signal, timeoutMs }) {
      if (!(maxBytes <= mostBytes)) throw new RangeError(`maxBytes is ${mostBytes} at most`);
      const target = targetOf(request);
      // The head's timeout must not end the body; only `signal` does.
      const whole = new AbortController();
      const end = () => whole.abort(signal.reason);
      signal.addEventListener('abort', end, { once: true });
      const over = () => signal.removeEventListener('abort', end);
      try {
        return await within(target, { signal, ...(timeoutMs !== undefined && { timeoutMs }) }, log, async (head) => {
          const socket = await open(target, ways, head);
          return orAborted(sendForStream(socket, request, { maxBytes, idleMs }, whole.signal, over), head);
        });
      } catch (error) {
        whole.abort(error);
        over();
        throw error;
      }
    },
    async judge(request, limits = {}) {
      const target = targetOf(request);
      await within(target, limits, log, (signal) => allowedAddresses(target, ways, signal));
    },
    async connect(host, limits = {}) {
      const target = targetOfHost(host);
      return within(target, limits, log, (signal) => open(target, ways, signal));
    },
    async pinned(host, limits = {}) {
      const target = targetOfHost(host);
      return within(target, limits, log, async (signal) => pinnedTo(await allowedAddresses(target, ways, signal)));
    },
  };
}

function targetOfHost({ host: text, port, use, tls }: OutgoingHost): Target {
  const host = canonicalHost(text);
  if (host === undefined) throw new OutgoingError('invalid', `${quoted(text)} is no name of a host and no address`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new OutgoingError('invalid', `A port is a number from 1 to 65535, not ${port}`);
  return { host, port, use, tls };
}

/** Runs `work` within its time; its signal combines the deadline and the caller's. */
async function within<T>(
  { host, port }: Target,
  { timeoutMs = defaultMillis, signal }: Limits,
  log: Parts['log'],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!(timeoutMs <= longestMillis)) throw new RangeError(`timeoutMs is ${longestMillis} at most`);
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    signal?.throwIfAborted();
    const failure = deadline.aborted
      ? new OutgoingError('timeout', `${quoted(host)} took longer than ${timeoutMs / 1_000} seconds`, detailOf(error))
      : error;
    if (failure instanceof OutgoingError) logFailure(log, failure, { host, port });
    throw failure;
  }
}

function detailOf(error: unknown): object {
  return error instanceof OutgoingError ? error.detail : {};
}

function logFailure(log: Parts['log'], { reason, detail }: OutgoingError, target: object): void {
  const fields = { reason, ...target, ...detail };
  if (reason === 'refused') log.warn(fields, 'An outgoing connection was refused');
  else log.info(fields, 'An outgoing connection failed');
}
