/**
 * A cache bounded in bytes whose entries have owners. While there is room, owners evict only their own entries;
 * otherwise the owner idle for longest loses all of its entries.
 */
import { registerCache, type CacheSize } from './caches.ts';
import { Lru, type LruOptions } from './lru.ts';

export interface OwnedLruOptions<K, V> extends Pick<LruOptions<K, V>, 'maxBytes' | 'bytesOf'> {
  readonly name: string;
  /** Limit per owner. */
  readonly maxOwnerBytes: number;
}

/** An `Lru` per owner, bounded each and in total: nobody evicts everybody else's entries. */
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

  /** Forgets all entries of the owner. */
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

  /** The owner's entries; marks the owner as most recently used. */
  #of(owner: string): Lru<K, V> | undefined {
    const own = this.#owners.get(owner);
    if (own && this.#owners.size > 1) {
      this.#owners.delete(owner);
      this.#owners.set(owner, own);
    }
    return own;
  }
}
