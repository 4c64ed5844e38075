/** Totals of lists and searches, remembered by what they are the totals of. */
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

/** What was remembered under the key, which a plan gives; it may be of an older version. */
export function recallTotal({ model }: Call, cacheKey: string | undefined): RememberedTotal | undefined {
  return cacheKey === undefined ? undefined : totals.get(model.organizationId, cacheKey);
}

/** Remembers what a statement that only reads has counted. */
export function rememberTotal(
  { model }: Call,
  cacheKey: string | undefined,
  { version, total, rows }: RememberedTotal,
): void {
  if (cacheKey !== undefined) totals.set(model.organizationId, cacheKey, { version, total, rows });
}
