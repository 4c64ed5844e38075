/**
 * The windows of one policy: exact logs per identity in bounded memory. A log that counts something is never dropped, so
 * that a flood of identities cannot reset another one's count or its own. Identities without room are counted together in
 * shared logs. No identity is ever admitted more often than the limit: shared counts are too high rather than too low, and
 * a log that becomes shared or unshared keeps its requests.
 */
import { hash, randomBytes } from 'node:crypto';
import type { CacheSize } from '../lib/caches.ts';
import { bytesOfText } from '../lib/lru.ts';
import { RequestLog } from './request-log.ts';
import type { Policy } from './policies.ts';

export interface WindowsMemory {
  /** For logs of single identities. */
  readonly ownBytes: number;
  /** For shared logs; there is at least one. */
  readonly sharedBytes: number;
}

/** The state that a request finds. */
interface Found {
  readonly admitted: boolean;
  /** Counted requests, including this one if it is admitted. */
  readonly count: number;
  /** The time of the earliest; undefined if there is none. */
  readonly oldest: number | undefined;
}

/** The size of a map entry. */
const placeBytes = 100;

/** The windows of all identities of a policy; times are monotonic milliseconds. */
export class SlidingWindows implements CacheSize {
  readonly maxBytes: number;
  readonly #limit: number;
  readonly #length: number;
  readonly #ownBytes: number;
  /** In the order of their latest requests, oldest first. */
  readonly #own = new Map<string, RequestLog>();
  readonly #shared: (RequestLog | undefined)[];
  /** Random, so that clients cannot choose whom they share a log with. */
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

  /** The state for a request, without counting it. */
  look(identity: string, now: number): Found {
    const log = this.#at(identity, now);
    return log ? found(!log.isFull, log) : { admitted: true, count: 0, oldest: undefined };
  }

  /** Takes the latest admitted request back. */
  giveBack(identity: string, now: number): void {
    this.#at(identity, now)?.dropNewest();
  }

  /** The log with the identity's requests; undefined if there is none. */
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

  /** A new log of the identity, with all requests of its shared log; undefined if there is no room. */
  #newLog(identity: string, now: number): RequestLog | undefined {
    const shared = this.#sharedAt(this.#placeOf(identity), now);
    const bytes = bytesOf(identity, RequestLog.bytesFor(this.#limit, shared?.count));
    if (!this.#makeRoom(bytes, now)) return undefined;
    const log = new RequestLog(this.#limit, shared?.times());
    this.#own.set(identity, log);
    this.#bytes += bytes;
    return log;
  }

  /** Moves a log without room to grow into its shared log. */
  #share(identity: string, log: RequestLog, now: number): void {
    this.#drop(identity, log);
    const at = this.#placeOf(identity);
    this.#shared[at] = this.#sharedAt(at, now)?.joined(log) ?? log;
  }

  #placeOf(identity: string): number {
    return hash('sha256', this.#seed + identity, 'buffer').readUInt32LE() % this.#shared.length;
  }

  /** The shared log; undefined if it counts nothing. */
  #sharedAt(at: number, now: number): RequestLog | undefined {
    const log = this.#shared[at];
    log?.dropUntil(now - this.#length);
    if (log?.count === 0) this.#shared[at] = undefined;
    return this.#shared[at];
  }

  /** Drops logs whose window has passed; returns whether there is room for `bytes`. */
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
