/** Caches totals of lists and searches. */
import type { Call } from '../../access/call.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { RememberedTotal } from '../../query/plan.ts';

const totals = new OwnedLru<string, RememberedTotal>({
  name: 'totals',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 1024 * 1024,
  bytesOf: (key, { version }) => bytesOfText(key) + bytesOfText(version) + 40,
});

/** The cached total for a plan's key; may be of an older version. */
export function recallTotal({ model }: Call, cacheKey: string | undefined): RememberedTotal | undefined {
  return cacheKey === undefined ? undefined : totals.get(model.organizationId, cacheKey);
}

/** Caches the count of a read-only statement. */
export function rememberTotal(
  { model }: Call,
  cacheKey: string | undefined,
  { version, total, rows }: RememberedTotal,
): void {
  if (cacheKey !== undefined) totals.set(model.organizationId, cacheKey, { version, total, rows });
}
