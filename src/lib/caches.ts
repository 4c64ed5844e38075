/** The sizes and limits of this process's caches, by name. */

export interface CacheSize {
  readonly bytes: number;
  /** `bytes` never exceeds it. */
  readonly maxBytes: number;
  readonly entries: number;
}

/** Caches of one name do the same work, such as one per connection; garbage-collected ones do not count. */
const named = new Map<string, Set<WeakRef<CacheSize>>>();

/** Reports `cache` under `name` for as long as it is referenced. */
export function registerCache(name: string, cache: CacheSize): void {
  const caches = named.get(name) ?? new Set();
  named.set(name, caches.add(new WeakRef(cache)));
  prune(caches);
}

/** The caches by name; those of one name are summed. */
export function cacheSizes(): ReadonlyMap<string, CacheSize> {
  return new Map([...named].map(([name, caches]) => [name, sum(prune(caches))]));
}

function prune(caches: Set<WeakRef<CacheSize>>): readonly CacheSize[] {
  return [...caches].flatMap((reference) => {
    const cache = reference.deref();
    if (cache) return [cache];
    caches.delete(reference);
    return [];
  });
}

function sum(caches: readonly CacheSize[]): CacheSize {
  const total = { bytes: 0, maxBytes: 0, entries: 0 };
  for (const { bytes, maxBytes, entries } of caches) {
    total.bytes += bytes;
    total.maxBytes += maxBytes;
    total.entries += entries;
  }
  return total;
}
