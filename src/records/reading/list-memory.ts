/** Caches totals of lists and searches, and the ids of pages of lists. */
import type { Call } from '../../access/call.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ListMemory, ListPage, ListPlan, RememberedTotal } from '../../query/plan.ts';
import type { RememberedPage } from '../../query/remembered-page.ts';

const totals = new OwnedLru<string, RememberedTotal>({
  name: 'totals',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 1024 * 1024,
  bytesOf: (key, { version }) => bytesOfText(key) + bytesOfText(version) + 40,
});

/** An id as text and its place in the array: measured. */
const bytesOfId = 68;

const pages = new OwnedLru<string, RememberedPage>({
  name: 'pages',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 2 * 1024 * 1024,
  bytesOf: (key, { version, ids }) => bytesOfText(key) + bytesOfText(version) + bytesOfId * ids.length + 40,
});

/** What is cached for the lists of the call's organization. */
export function listMemory({ model: { organizationId } }: Call): ListMemory {
  return { total: (key) => totals.get(organizationId, key), page: (key) => pages.get(organizationId, key) };
}

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

/** Caches total and ids of a page that a read-only statement found. */
export function rememberPage(call: Call, { cacheKey, pageKey }: ListPlan, page: ListPage): void {
  const { version, ids } = page;
  if (recallTotal(call, cacheKey)?.version !== version) rememberTotal(call, cacheKey, page);
  if (pageKey === undefined) return;
  const { organizationId } = call.model;
  if (pages.get(organizationId, pageKey)?.version !== version) pages.set(organizationId, pageKey, { version, ids });
}
