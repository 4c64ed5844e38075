/** The one way out of the service, for all hosts that tenants name: which are connected to, for how long, and how much is taken. */
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
  /** For all of it; 10 seconds unless told, up to two minutes. */
  readonly timeoutMs?: number;
  /** Ends it sooner, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

interface AnswerLimits extends Limits {
  /** Of the answer's body, packed and unpacked; 64 KiB unless told, up to 16 MiB. At 0 the answer's head is enough. */
  readonly maxBytes?: number;
}

/** `timeoutMs` is for the head; the body may go on for as long as `signal` lets it. */
interface StreamLimits extends Limits, StreamBounds {
  readonly signal: AbortSignal;
}

interface OutgoingHost {
  /** As the tenant writes it. */
  readonly host: string;
  readonly port: number;
  readonly use: Use;
  /** TLS from the first byte; without it, a driver may secure the connection later, with `host` as the server's name. */
  readonly tls: boolean;
}

export interface Outgoing {
  /** One HTTP request and its answer. Throws OutgoingError. */
  request(request: OutgoingRequest, limits?: AnswerLimits): Promise<OutgoingAnswer>;
  /** One HTTP request, and its answer as it comes: for servers that go on telling. Throws OutgoingError, and its body does. */
  stream(request: OutgoingRequest, limits: StreamLimits): Promise<StreamedAnswer>;
  /** Whether the request could be sent now: nothing is connected to. Throws OutgoingError. */
  judge(request: OutgoingRequest, limits?: Limits): Promise<void>;
  /** A connection for another protocol: connected, checked, and the caller's to end. Throws OutgoingError. */
  connect(host: OutgoingHost, limits?: Limits): Promise<Socket>;
  /** For a driver that connects by itself: a look-up that leads to the addresses that are allowed, and to no others. Throws OutgoingError. */
  pinned(host: OutgoingHost, limits?: Limits): Promise<LookupFunction>;
}

interface Parts {
  readonly privateHosts: readonly PrivateHost[];
  /** Where what is refused or fails is told in full. */
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** DNS, unless told. */
  readonly resolve?: Resolve;
}

const usualMillis = 10_000;
const longestMillis = 120_000;
const usualBytes = 65_536;
const mostBytes = 16_777_216;

/** The way out with the operator's exceptions. */
export function createOutgoing({ privateHosts, log, resolve = createResolve() }: Parts): Outgoing {
  const ways = { privateHosts: createPrivateHosts(privateHosts), resolve };
  return {
    async request(request, { maxBytes = usualBytes, ...limits } = {}) {
      if (!(maxBytes <= mostBytes)) throw new RangeError(`maxBytes is ${mostBytes} at most`);
      const target = targetOf(request);
      return within(target, limits, log, async (signal) =>
        send(await open(target, ways, signal), request, maxBytes, signal),
      );
    },
    async stream(request, { maxBytes, idleMs, signal, timeoutMs }) {
      if (!(maxBytes <= mostBytes)) throw new RangeError(`maxBytes is ${mostBytes} at most`);
      const target = targetOf(request);
      // The time of the head must not end the body: only `signal` does.
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

/** Carries `work` out within its time; its signal is the deadline's and the caller's. */
async function within<T>(
  { host, port }: Target,
  { timeoutMs = usualMillis, signal }: Limits,
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
    if (failure instanceof OutgoingError) tell(log, failure, { host, port });
    throw failure;
  }
}

function detailOf(error: unknown): object {
  return error instanceof OutgoingError ? error.detail : {};
}

function tell(log: Parts['log'], { reason, detail }: OutgoingError, target: object): void {
  const fields = { reason, ...target, ...detail };
  if (reason === 'refused') log.warn(fields, 'An outgoing connection was refused');
  else log.info(fields, 'An outgoing connection failed');
}
