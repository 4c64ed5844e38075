/**
 * The windows of one policy: an exact log of each identity's requests, within a bounded memory. Nobody's log is given up
 * while it counts something, so that no flood of identities makes the limiter forget another one, or itself. An identity
 * for which there is no room is counted together with others, in one of some shared logs.
 *
 * No identity is ever admitted more often than the limit: what is counted together is rather too much, and a log that
 * comes to be or ceases to be an identity's own takes its requests along.
 */
import { hash, randomBytes } from 'node:crypto';
import type { CacheSize } from '../lib/caches.ts';
import { bytesOfText } from '../lib/lru.ts';
import { RequestLog } from './request-log.ts';
import type { Policy } from './policies.ts';

export interface WindowsMemory {
  /** For logs of their own. */
  readonly ownBytes: number;
  /** For shared logs; there is one at least. */
  readonly sharedBytes: number;
}

/** What a request finds. */
interface Found {
  readonly admitted: boolean;
  /** Requests that count, with this one where it is admitted. */
  readonly count: number;
  /** When the earliest of them came in; undefined where there is none. */
  readonly oldest: number | undefined;
}

/** An identity's place in the map. */
const placeBytes = 100;

/** All identities of one policy; times are milliseconds of a clock that never goes backwards. */
export class SlidingWindows implements CacheSize {
  readonly maxBytes: number;
  readonly #limit: number;
  readonly #length: number;
  readonly #ownBytes: number;
  /** In the order of their latest requests, the oldest first. */
  readonly #own = new Map<string, RequestLog>();
  readonly #shared: (RequestLog | undefined)[];
  /** Which identities share a log is not for them to choose. */
  readonly #seed = randomBytes(16).toString('base64url');
  #bytes = 0;

  constructor({ limit, windowSeconds }: Policy, { ownBytes, sharedBytes }: WindowsMemory) {
    const most = RequestLog.bytesFor(limit, limit);
    const sharedLogs = Math.max(1, Math.floor(sharedBytes / most));
    this.#limit = limit;
    this.#length = windowSeconds * 1000;
    this.#ownBytes = ownBytes;
    this.#shared = Array<undefined>(sharedLogs).fill(undefined);
    this.maxBytes = ownBytes + sharedLogs * most;
  }

  get bytes(): number {
    return this.#bytes + this.#shared.reduce((sum, log) => sum + (log?.bytes ?? 0), 0);
  }

  get entries(): number {
    return this.#own.size;
  }

  /** Counts a request unless the window is full. */
  take(identity: string, now: number): Found {
    const log = this.#own.get(identity) ?? this.#newLog(identity, now);
    if (!log) return this.#takeShared(identity, now);
    log.dropUntil(now - this.#length);
    if (log.isFull) return found(false, log);
    const { growth } = log;
    if (growth > 0 && !this.#makeRoom(growth, now)) {
      this.#share(identity, log, now);
      return this.#takeShared(identity, now);
    }
    log.add(now);
    this.#bytes += growth;
    this.#own.delete(identity);
    this.#own.set(identity, log);
    return found(true, log);
  }

  /** What a request would find; counts nothing. */
  look(identity: string, now: number): Found {
    const log = this.#at(identity, now);
    return log ? found(!log.isFull, log) : { admitted: true, count: 0, oldest: undefined };
  }

  /** The latest request that was admitted counts no longer. */
  giveBack(identity: string, now: number): void {
    this.#at(identity, now)?.dropNewest();
  }

  /** Where the identity's requests count; undefined where none does. */
  #at(identity: string, now: number): RequestLog | undefined {
    const log = this.#own.get(identity);
    log?.dropUntil(now - this.#length);
    return log ?? this.#sharedAt(this.#placeOf(identity), now);
  }

  #takeShared(identity: string, now: number): Found {
    const at = this.#placeOf(identity);
    const log = this.#sharedAt(at, now) ?? (this.#shared[at] = new RequestLog(this.#limit));
    const admitted = !log.isFull;
    if (admitted) log.add(now);
    return found(admitted, log);
  }

  /** A log of its own, which begins with all that may have been the identity's; undefined where there is no room for it. */
  #newLog(identity: string, now: number): RequestLog | undefined {
    const shared = this.#sharedAt(this.#placeOf(identity), now);
    const bytes = bytesOf(identity, RequestLog.bytesFor(this.#limit, shared?.count));
    if (!this.#makeRoom(bytes, now)) return undefined;
    const log = new RequestLog(this.#limit, shared?.times());
    this.#own.set(identity, log);
    this.#bytes += bytes;
    return log;
  }

  /** Where a log has no room to grow, its requests count with those of others from now on. */
  #share(identity: string, log: RequestLog, now: number): void {
    this.#drop(identity, log);
    const at = this.#placeOf(identity);
    this.#shared[at] = this.#sharedAt(at, now)?.joined(log) ?? log;
  }

  #placeOf(identity: string): number {
    return hash('sha256', this.#seed + identity, 'buffer').readUInt32LE() % this.#shared.length;
  }

  /** Undefined where nothing counts. */
  #sharedAt(at: number, now: number): RequestLog | undefined {
    const log = this.#shared[at];
    log?.dropUntil(now - this.#length);
    if (log?.count === 0) this.#shared[at] = undefined;
    return this.#shared[at];
  }

  /** Gives up logs whose window has passed; whether there is room for `bytes` more then. */
  #makeRoom(bytes: number, now: number): boolean {
    for (const [identity, log] of this.#own) {
      if (log.newest !== undefined && log.newest > now - this.#length) break;
      this.#drop(identity, log);
    }
    return this.#bytes + bytes <= this.#ownBytes;
  }

  #drop(identity: string, log: RequestLog): void {
    this.#own.delete(identity);
    this.#bytes -= bytesOf(identity, log.bytes);
  }
}

function found(admitted: boolean, { count, oldest }: RequestLog): Found {
  return { admitted, count, oldest };
}

function bytesOf(identity: string, logBytes: number): number {
  return placeBytes + bytesOfText(identity) + logBytes;
}
