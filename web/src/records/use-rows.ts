/** The records of a list, page after page as they are scrolled to; what others change in them appears in place. */
import { keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { FilterGroup, SortKey } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { queries } from '../api/queries.ts';
import type { KithRecord } from '../api/workspace.ts';
import { whenIdle } from '../app/later.ts';
import { onChange } from '../app/live.ts';

export interface RowsQuery {
  readonly filters?: FilterGroup;
  readonly search?: string;
  readonly sort?: readonly SortKey[];
}

interface Page {
  readonly data: readonly KithRecord[];
  readonly total: number;
  readonly nextCursor?: string;
}

type Pages = InfiniteData<Page, string | undefined>;

export interface Rows {
  readonly records: readonly KithRecord[];
  readonly total: number | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly isOlder: boolean;
  readonly hasMore: boolean;
  /** How many records others made since. */
  readonly newCount: number;
  more(): void;
  again(): void;
  /** Shows values before the service has confirmed them; gives what puts the old ones back. */
  show(id: string, values: Readonly<Record<string, unknown>>): () => void;
  /** Asks for these again. */
  refresh(...ids: readonly string[]): void;
}

export const pageSize = 100;
/** So many changed rows are asked for by themselves; of more, all are asked for anew. */
const mostPatched = 100;
const gatherMs = 200;

/** The rows of an object that match, with these fields. */
export function useRows(object: string, query: RowsQuery, fields: string): Rows {
  const key = useMemo(() => ['rows', object, query, fields] as const, [object, query, fields]);
  const found = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      kith.records.list(
        object,
        { ...query, fields, limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ) as Promise<Page>,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const records = useMemo(() => found.data?.pages.flatMap(({ data }) => data) ?? [], [found.data]);
  const [newCount, clearNew] = useChanges(object, query, fields, key);
  const { fetchNextPage, refetch, isFetchingNextPage, hasNextPage } = found;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const pageCount = found.data?.pages.length;
  // The second page is there before one has scrolled to it.
  useEffect(
    () => (pageCount === 1 && hasNextPage ? whenIdle(() => void fetchNextPage()) : undefined),
    [pageCount, hasNextPage, fetchNextPage],
  );
  return {
    records,
    total: found.data?.pages[0]?.total,
    error: found.error,
    isLoading: found.isPending,
    isOlder: found.isPlaceholderData,
    hasMore: hasNextPage,
    newCount,
    more,
    again() {
      clearNew();
      keepFirst(key);
      void refetch();
    },
    show(id, values) {
      const before = queries.getQueryData<Pages>(key);
      queries.setQueryData<Pages>(key, (pages) =>
        mapped(pages, (row) => (row.id === id ? { ...row, ...values } : row)),
      );
      return () => queries.setQueryData(key, before);
    },
    refresh: (...ids) => void patch(object, query, fields, key, new Set(ids)),
  };
}

/** Takes what others do: changed rows are asked for again, new ones are counted, gone ones go. */
function useChanges(object: string, query: RowsQuery, fields: string, key: readonly unknown[]): [number, () => void] {
  const [made, setMade] = useState(0);
  const [madeFor, setMadeFor] = useState(key);
  if (madeFor !== key) {
    setMadeFor(key);
    setMade(0);
  }
  useEffect(() => {
    let changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      const ids = changed;
      changed = new Set();
      void patch(object, query, fields, key, ids);
    };
    const end = onChange(({ type, object_name: name, record_id: id }) => {
      if (type === 'reset') return void queries.invalidateQueries({ queryKey: key });
      if (name !== object || id === undefined) return;
      if (type === 'record.created' || type === 'record.restored') return setMade((n) => n + 1);
      if (type === 'record.deleted' || type === 'record.removed') return without(key, id);
      changed.add(id);
      timer ??= setTimeout(refresh, gatherMs);
    });
    return () => (clearTimeout(timer), end());
  }, [object, query, fields, key]);
  return [made, () => setMade(0)];
}

async function patch(
  object: string,
  query: RowsQuery,
  fields: string,
  key: readonly unknown[],
  ids: ReadonlySet<string>,
) {
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
  const answer = await (kith.records.list(object, asked) as Promise<Page>).catch(() => undefined);
  const fresh = new Map(answer?.data.map((row) => [row.id, row]));
  // A row that matches no more stays until the list is asked for anew: nothing jumps under the pointer.
  queries.setQueryData<Pages>(key, (now) => mapped(now, (row) => fresh.get(row.id) ?? row));
}

function without(key: readonly unknown[], id: string): void {
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

function mapped(pages: Pages | undefined, change: (row: KithRecord) => KithRecord): Pages | undefined {
  return pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, data: page.data.map(change) })) };
}

/** Of a list that was scrolled far, the first page alone is asked for anew. */
function keepFirst(key: readonly unknown[]): void {
  queries.setQueryData<Pages>(key, (pages) =>
    pages && pages.pages.length > 3
      ? { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) }
      : pages,
  );
}
