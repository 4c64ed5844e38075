/**
 * A memory bounded in bytes whose entries have owners. An owner can only push out its own entries as long as there is room
 * for all; where there is none, the owner that was idle for longest is forgotten.
 */
import { registerCache, type CacheSize } from './caches.ts';
import { Lru, type LruOptions } from './lru.ts';

export interface OwnedLruOptions<K, V> extends Pick<LruOptions<K, V>, 'maxBytes' | 'bytesOf'> {
  readonly name: string;
  /** What a single owner may have of it. */
  readonly maxOwnerBytes: number;
}

/** An `Lru` for each owner, bounded for each and in all: nobody pushes out all that others have. */
export class OwnedLru<K, V> implements CacheSize {
  readonly maxBytes: number;
  readonly #options: OwnedLruOptions<K, V>;
  readonly #owners = new Map<string, Lru<K, V>>();
  #bytes = 0;
  #entries = 0;

  constructor(options: OwnedLruOptions<K, V>) {
    this.#options = options;
    this.maxBytes = options.maxBytes;
    registerCache(options.name, this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): number {
    return this.#entries;
  }

  get(owner: string, key: K): V | undefined {
    return this.#of(owner)?.get(key);
  }

  set(owner: string, key: K, value: V): void {
    const own = this.#of(owner) ?? this.#newOwner(owner);
    this.#change(own, () => own.set(key, value));
    for (const oldest of this.#owners.keys()) {
      if (this.#bytes <= this.maxBytes) break;
      this.forget(oldest);
    }
  }

  delete(owner: string, key: K): void {
    const own = this.#owners.get(owner);
    if (own) this.#change(own, () => own.delete(key));
  }

  /** Forgets all that the owner has. */
  forget(owner: string): void {
    const own = this.#owners.get(owner);
    if (own === undefined) return;
    this.#owners.delete(owner);
    this.#bytes -= own.bytes;
    this.#entries -= own.entries;
  }

  #change(own: Lru<K, V>, change: () => void): void {
    const { bytes, entries } = own;
    change();
    this.#bytes += own.bytes - bytes;
    this.#entries += own.entries - entries;
  }

  #newOwner(owner: string): Lru<K, V> {
    const { maxOwnerBytes: maxBytes, bytesOf } = this.#options;
    const own = new Lru<K, V>({ maxBytes, bytesOf });
    this.#owners.set(owner, own);
    return own;
  }

  /** The owner's entries; it becomes the one that was used last. */
  #of(owner: string): Lru<K, V> | undefined {
    const own = this.#owners.get(owner);
    if (own && this.#owners.size > 1) {
      this.#owners.delete(owner);
      this.#owners.set(owner, own);
    }
    return own;
  }
}
