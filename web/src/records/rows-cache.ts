/** The rows that a list has, page by page: how changed ones get in, and gone ones out, without anything else moving. */
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
  /** When it was asked for, in milliseconds. */
  readonly askedAt: number;
}

export type Pages = InfiniteData<Page, string | undefined>;

/** What a list shows, and where it is kept. */
export interface Listed {
  readonly object: string;
  readonly query: RowsQuery;
  /** The names of fields to ask for. */
  readonly fields: string;
  readonly key: readonly unknown[];
}

/** The rows of an object that match, with these fields. */
export function listedOf(object: string, query: RowsQuery, fields: string): Listed {
  return { object, query, fields, key: ['rows', object, query, fields] };
}

/** How they are asked for, page by page. */
export function pagesOfRows({ object, query, fields, key }: Listed) {
  return pagesOf(key, async (at, { signal }): Promise<Page> => {
    const askedAt = Date.now();
    const asked = { ...query, fields, limit: pageSize, ...at };
    const page = await (kith.records.list(object, asked, { signal }) as Promise<Omit<Page, 'askedAt'>>);
    return { ...page, askedAt };
  });
}

export const pageSize = 100;
/** So many changed rows are asked for by themselves; of more, all are asked for anew. */
const mostPatched = 100;

/** Asks again for those of these records that are shown. */
export async function patch({ object, query, fields, key }: Listed, ids: ReadonlySet<string>): Promise<void> {
  const pages = queries.getQueryData<Pages>(key);
  const shown = pages?.pages.flatMap(({ data }) => data.filter(({ id }) => ids.has(id))) ?? [];
  if (shown.length === 0) return;
  if (shown.length > mostPatched) {
    keepFirst(key);
    return queries.invalidateQueries({ queryKey: key });
  }
  const asked = {
    ids: shown.map(({ id }) => id).join(','),
    fields,
    limit: pageSize,
    ...(query.filters && { filters: query.filters }),
  };
  const answer = await (kith.records.list(object, asked) as Promise<Pick<Page, 'data'>>).catch(() => undefined);
  const fresh = new Map(answer?.data.map((row) => [row.id, row]));
  // A row that matches no more stays until the list is asked for anew: nothing jumps under the pointer.
  queries.setQueryData<Pages>(key, (now) => mapped(now, (row) => fresh.get(row.id) ?? row));
}

/** Those of these records that the list would have. */
export async function matching({ object, query }: Listed, ids: readonly string[]): Promise<readonly string[]> {
  const { filters, search } = query;
  const asked = {
    ids: ids.slice(0, pageSize).join(','),
    fields: 'id',
    limit: pageSize,
    ...(filters && { filters }),
    ...(search && { search }),
  };
  const answer = await kith.records.list(object, asked).catch(() => undefined);
  return answer?.data.map(({ id }) => id) ?? [];
}

/** Whether the list is known, and has no row. */
export function isEmpty(key: readonly unknown[]): boolean {
  return queries.getQueryData<Pages>(key)?.pages[0]?.data.length === 0;
}

/** Takes a record out, and out of the count, where it is shown. */
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

/** The pages with each row changed. */
export function mapped(pages: Pages | undefined, change: (row: KithRecord) => KithRecord): Pages | undefined {
  return pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, data: page.data.map(change) })) };
}

/** Of a list that was scrolled far, the first page alone is asked for anew. */
export function keepFirst(key: readonly unknown[]): void {
  queries.setQueryData<Pages>(key, (pages) =>
    pages && pages.pages.length > 3
      ? { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) }
      : pages,
  );
}
