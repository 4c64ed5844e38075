/** Caches totals of lists and searches, and pages of lists: their ids, and the text of those asked for again. */
import type { Call } from '../../access/call.ts';
import { isLong, whole } from '../../lib/long-text.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ListMemory, RememberedPage, RememberedText, RememberedTotal } from '../../query/known-list.ts';
import type { ListPage, ListPlan } from '../../query/plan-list.ts';

const totals = new OwnedLru<string, RememberedTotal>({
  name: 'totals',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 2 * 1024 * 1024,
  bytesOf: (key, { version, matches }) => {
    const own = matches ? matches.mark.length + bytesOfText(matches.foundAt) + 60 : 0; // a mark is ASCII
    return bytesOfText(key) + bytesOfText(version) + own + 40;
  },
});

/** An id as text and its place in the array: measured. */
const bytesOfId = 68;

const pages = new OwnedLru<string, RememberedPage>({
  name: 'pages',
  maxBytes: 16 * 1024 * 1024,
  maxOwnerBytes: 2 * 1024 * 1024,
  bytesOf: (key, { foundAt, ids }) => bytesOfText(key) + bytesOfText(foundAt) + bytesOfId * ids.length + 40,
});

/** The object around a text and its numbers: measured. */
const bytesAround = 150;

const texts = new OwnedLru<string, RememberedText & { readonly bytes: number }>({
  name: 'texts',
  maxBytes: 48 * 1024 * 1024,
  maxOwnerBytes: 12 * 1024 * 1024,
  bytesOf: (key, { bytes, foundAt, textVersion, end: { nextCursor = '' } }) =>
    bytesOfText(key) + bytes + bytesOfText(foundAt) + bytesOfText(textVersion) + bytesOfText(nextCursor) + bytesAround,
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

/** Caches the count of a read-only statement, unless more is known of the same version. */
export function rememberTotal(
  { model }: Call,
  cacheKey: string | undefined,
  { version, total, rows, matches }: RememberedTotal,
): void {
  if (cacheKey === undefined) return;
  const known = totals.get(model.organizationId, cacheKey);
  if (known?.version === version && matches === undefined) return;
  totals.set(model.organizationId, cacheKey, { version, total, rows, ...(matches !== undefined && { matches }) });
}

/** Caches total and page that a read-only statement found; the page's text if its ids were known already. */
export function rememberPage(call: Call, { keys, known }: ListPlan, page: ListPage): void {
  const { found } = page;
  if (known.total?.version !== found.total.version) rememberTotal(call, keys.cacheKey, found.total);
  if (keys.pageKey === undefined) return;
  const { organizationId } = call.model;
  if (known.page !== found.page) pages.set(organizationId, keys.pageKey, found.page);
  else if (keys.textKey !== undefined && known.text?.textVersion !== found.textVersion)
    rememberText(organizationId, keys.textKey, page);
}

function rememberText(organizationId: string, textKey: string, page: ListPage): void {
  const { data, shown, nextCursor, isTooLarge, isCut, found } = page;
  if (isTooLarge || isCut || isLong(data)) return;
  // Joined from hundreds of parts: encoded and decoded, it is one string without them.
  const encoded = Buffer.from(whole(data));
  const flat = encoded.toString();
  const bytes = encoded.length === flat.length ? flat.length : bytesOfText(flat);
  const end = { data: flat, shown, isTooLarge, ...(nextCursor !== undefined && { nextCursor }) };
  texts.set(organizationId, textKey, { foundAt: found.page.foundAt, textVersion: found.textVersion, end, bytes });
}
