/** The records of a list, fetched page by page on scrolling; changes by others are merged in place. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { queries } from '../api/queries.ts';
import type { KithRecord } from '../api/workspace.ts';
import { whenIdle } from '../app/later.ts';
import { keepFirst, listedOf, mapped, pagesOfRows, patch, type Pages, type RowsQuery } from './rows-cache.ts';
import { useChanges } from './use-changes.ts';

export interface Rows {
  readonly records: readonly KithRecord[];
  readonly total: number | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly isOlder: boolean;
  readonly hasMore: boolean;
  /** New matching records since the fetch. */
  readonly newCount: number;
  /** The ids of records that somebody else has just changed. */
  readonly fresh: ReadonlySet<string>;
  more(): void;
  again(): void;
  /** Shows values before the service has confirmed them; returns a function that reverts them. */
  show(id: string, values: Readonly<Record<string, unknown>>): () => void;
  /** Fetches these records again. */
  refresh(...ids: readonly string[]): Promise<void>;
}

/** The matching rows of an object, with these fields. */
export function useRows(object: string, query: RowsQuery, fields: string): Rows {
  const listed = useMemo(() => listedOf(object, query, fields), [object, query, fields]);
  const { key } = listed;
  const found = useInfiniteQuery({ ...pagesOfRows(listed), placeholderData: keepPreviousData });
  const records = useMemo(() => found.data?.pages.flatMap(({ data }) => data) ?? [], [found.data]);
  const { made, fresh } = useChanges(listed);
  const askedAt = found.data?.pages[0]?.askedAt ?? 0;
  const newCount = useMemo(() => {
    const shown = new Set(records.map(({ id }) => id));
    return [...made].filter(([id, at]) => at > askedAt && !shown.has(id)).length;
  }, [made, records, askedAt]);
  const { fetchNextPage, refetch, isFetchingNextPage, hasNextPage } = found;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const pageCount = found.data?.pages.length;
  // Prefetches the second page.
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
    fresh,
    more,
    again() {
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
    refresh: (...ids) => patch(listed, new Set(ids)),
  };
}
