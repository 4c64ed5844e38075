/** Caches pages of messages that took long to find. */
import type { Call } from '../../access/call.ts';
import { bytesOfText } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { Row } from '../../postgres/database.ts';
import type { CountedPage } from '../../query/plan-page.ts';
import type { FoundMessages } from './message-rows.ts';

const pages = new OwnedLru<string, FoundMessages>({
  name: 'messages',
  maxBytes: 8 * 1024 * 1024,
  maxOwnerBytes: 512 * 1024,
  bytesOf: (key, { version, ids }) => bytesOfText(key) + bytesOfText(version) + 120 * ids.length + 60,
});

/** The cached page for the key; may be of an older version. */
export function recallMessages({ model }: Call, key: string): FoundMessages | undefined {
  return pages.get(model.organizationId, key);
}

/** Caches a page with the ids in its rows, which follow total and version. */
export function rememberMessages({ model }: Call, key: string, page: CountedPage, rows: readonly Row[]): void {
  const { version, total } = page;
  if (version === null) return;
  const ids = rows.flatMap(([, , id]) => (typeof id === 'string' ? [id] : []));
  pages.set(model.organizationId, key, { version, total, ids });
}
