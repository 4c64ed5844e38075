/** The cached rows of a list, page by page: updates changed rows and removes deleted ones without moving others. */
import type { InfiniteData } from '@tanstack/react-query';
import type { FilterGroup, SortKey } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import { pagesOf } from '../api/use-pages.ts';
import type { KithRecord } from '../api/workspace.ts';

export interface RowsQuery {
  readonly filters?: FilterGroup;
  readonly search?: string;
  readonly sort?: readonly SortKey[];
}

export interface Page {
  readonly data: readonly KithRecord[];
  readonly total: number;
  readonly nextCursor?: string;
  /** When it was requested, in milliseconds. */
  readonly askedAt: number;
}

export type Pages = InfiniteData<Page, string | undefined>;

/** A list's query and its cache key. */
export interface Listed {
  readonly object: string;
  readonly query: RowsQuery;
  /** The names of the requested fields. */
  readonly fields: string;
  readonly key: readonly unknown[];
}

/** The list of an object's matching rows with these fields. */
export function listedOf(object: string, query: RowsQuery, fields: string): Listed {
  return { object, query, fields, key: ['rows', object, query, fields] };
}

/** The options of its infinite query. */
export function pagesOfRows({ object, query, fields, key }: Listed) {
  return pagesOf(key, async (at, { signal }): Promise<Page> => {
    const askedAt = Date.now();
    const request = { ...query, fields, limit: pageSize, ...at };
    const page = await (kith.records.list(object, request, { signal }) as Promise<Omit<Page, 'askedAt'>>);
    return { ...page, askedAt };
  });
}

export const pageSize = 100;
/** Most changed rows that are fetched one by one; for more, the list is fetched again. */
const mostPatched = 100;

/** Fetches the shown ones of these records again. */
export async function patch({ object, query, fields, key }: Listed, ids: ReadonlySet<string>): Promise<void> {
  const pages = queries.getQueryData<Pages>(key);
  const shown = pages?.pages.flatMap(({ data }) => data.filter(({ id }) => ids.has(id))) ?? [];
  if (shown.length === 0) return;
  if (shown.length > mostPatched) {
    keepFirst(key);
    return queries.invalidateQueries({ queryKey: key });
  }
  const request = {
    ids: shown.map(({ id }) => id).join(','),
    fields,
    limit: pageSize,
    ...(query.filters && { filters: query.filters }),
  };
  const answer = await (kith.records.list(object, request) as Promise<Pick<Page, 'data'>>).catch(() => undefined);
  const fresh = new Map(answer?.data.map((row) => [row.id, row]));
  // A row that no longer matches stays until the list is fetched again, so that nothing jumps under the pointer.
  queries.setQueryData<Pages>(key, (now) => mapped(now, (row) => fresh.get(row.id) ?? row));
}

/** Those of these records that match the list's query. */
export async function matching({ object, query }: Listed, ids: readonly string[]): Promise<readonly string[]> {
  const { filters, search } = query;
  const request = {
    ids: ids.slice(0, pageSize).join(','),
    fields: 'id',
    limit: pageSize,
    ...(filters && { filters }),
    ...(search && { search }),
  };
  const answer = await kith.records.list(object, request).catch(() => undefined);
  return answer?.data.map(({ id }) => id) ?? [];
}

/** Whether the list is loaded and empty. */
export function isEmpty(key: readonly unknown[]): boolean {
  return queries.getQueryData<Pages>(key)?.pages[0]?.data.length === 0;
}

/** Removes a record from the cached rows and their count. */
export function without(key: readonly unknown[], id: string): void {
  queries.setQueryData<Pages>(key, (pages) => {
    if (!pages?.pages.some(({ data }) => data.some((row) => row.id === id))) return pages;
    return {
      ...pages,
      pages: pages.pages.map((page) => ({
        ...page,
        total: Math.max(0, page.total - 1),
        data: page.data.filter((row) => row.id !== id),
      })),
    };
  });
}

/** Applies `change` to each row. */
export function mapped(pages: Pages | undefined, change: (row: KithRecord) => KithRecord): Pages | undefined {
  return pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, data: page.data.map(change) })) };
}

/** Drops all but the first page of a list that was scrolled far, so that only that is fetched again. */
export function keepFirst(key: readonly unknown[]): void {
  queries.setQueryData<Pages>(key, (pages) =>
    pages && pages.pages.length > 3
      ? { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) }
      : pages,
  );
}
