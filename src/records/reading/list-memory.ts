/** Caches totals of lists and searches, and pages of lists: their ids, and the text of those asked for again. */
import type { Call } from '../../access/call.ts';
import { isLong, whole } from '../../lib/long-text.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ListMemory, ListPage, ListPlan, RememberedTotal } from '../../query/plan.ts';
import type { RecalledPage, RememberedPage, RememberedText } from '../../query/remembered-page.ts';

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

/** The object around a text and its numbers: measured. */
const bytesAround = 150;

const texts = new OwnedLru<string, RememberedText & { readonly bytes: number }>({
  name: 'texts',
  maxBytes: 48 * 1024 * 1024,
  maxOwnerBytes: 12 * 1024 * 1024,
  bytesOf: (key, { bytes, textVersion, nextCursor = '' }) =>
    bytesOfText(key) + bytes + bytesOfText(textVersion) + bytesOfText(nextCursor) + bytesAround,
});

/** What is cached for the lists of the call's organization. */
export function listMemory({ model: { organizationId } }: Call): ListMemory {
  return {
    total: (key) => totals.get(organizationId, key),
    page: (key) => pages.get(organizationId, key),
    text: (key) => texts.get(organizationId, key),
  };
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

/** Caches total and page that a read-only statement found; the page's text if its ids were known already. */
export function rememberPage(call: Call, { cacheKey, recalled }: ListPlan, page: ListPage): void {
  const { version, ids } = page;
  if (recallTotal(call, cacheKey)?.version !== version) rememberTotal(call, cacheKey, page);
  if (recalled.pageKey === undefined) return;
  const { organizationId } = call.model;
  if (recalled.page?.version !== version) pages.set(organizationId, recalled.pageKey, { version, ids });
  else rememberText(organizationId, recalled, page);
}

function rememberText(organizationId: string, { textKey, text }: RecalledPage, page: ListPage): void {
  const { data, shown, textVersion, nextCursor, isTooLarge, isCut } = page;
  if (textKey === undefined || text?.textVersion === textVersion || isTooLarge || isCut || isLong(data)) return;
  // Joined from hundreds of parts: encoded and decoded, it is one string without them.
  const encoded = Buffer.from(whole(data));
  const flat = encoded.toString();
  const bytes = encoded.length === flat.length ? flat.length : bytesOfText(flat);
  const written = { data: flat, shown, textVersion, isTooLarge, bytes };
  texts.set(organizationId, textKey, nextCursor === undefined ? written : { ...written, nextCursor });
}
