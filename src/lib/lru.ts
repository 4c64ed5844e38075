/** A cache bounded in bytes; evicts the least recently used entry first. */
import { registerCache, type CacheSize } from './caches.ts';

export interface LruOptions<K, V> {
  /** Its name in `/metrics`; absent for a part of a named cache. */
  readonly name?: string;
  readonly maxBytes: number;
  /** Bytes of an entry without its slot in the map; may overestimate. */
  bytesOf(key: K, value: V): number;
  /** Called with entries that are forgotten, evicted or replaced. */
  dropped?(key: K, value: V): void;
}

/** An entry's slot in the map, and the object around its value. */
const placeBytes = 100;

/** Maximum bytes of a text. */
export function bytesOfText(text: string): number {
  return 2 * text.length + 24;
}

/** A map within a number of bytes that evicts what was used longest ago. With a name, `/metrics` reports its size. */
export class Lru<K, V> implements CacheSize {
  readonly maxBytes: number;
  readonly #options: LruOptions<K, V>;
  readonly #entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  /** The most recently used key, which is last already. */
  #latest: K | undefined;
  #bytes = 0;

  constructor(options: LruOptions<K, V>) {
    this.#options = options;
    this.maxBytes = options.maxBytes;
    if (options.name !== undefined) registerCache(options.name, this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (key !== this.#latest) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#latest = key;
    }
    return entry.value;
  }

  /** Stores `value`, unless it exceeds the limit by itself. */
  set(key: K, value: V): void {
    this.delete(key);
    const bytes = this.#options.bytesOf(key, value) + placeBytes;
    if (bytes > this.maxBytes) return this.#options.dropped?.(key, value);
    this.#entries.set(key, { value, bytes });
    this.#latest = key;
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    if (key === this.#latest) this.#latest = undefined;
    this.#bytes -= entry.bytes;
    this.#options.dropped?.(key, entry.value);
  }
}
