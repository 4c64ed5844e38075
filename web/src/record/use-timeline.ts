/** The timeline's pages, read from activity and history. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { folded, merged, type Activity, type Item } from './timeline-items.ts';

export type Kind = 'interactions' | 'tasks' | 'notes';

interface Timeline {
  readonly items: readonly Item[];
  readonly counts: Readonly<Record<string, number>>;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly again: () => void;
}

const pageSize = 30;

/** Items of all kinds, or of one kind and without changes. */
export function useTimeline(object: string, id: string, kind?: Kind): Timeline {
  const activity = useInfiniteQuery({
    queryKey: [...keys.activity(object, id), kind ?? 'all'],
    queryFn: ({ pageParam }) =>
      kith.activity.record(object, id, {
        view: 'timeline',
        limit: pageSize,
        ...(kind !== undefined && { include: kind }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: hasMore, next_cursor: cursor }) => (hasMore ? cursor : undefined),
  });
  const past = usePages(
    keys.history(object, id),
    (at) => kith.records.history(object, id, { limit: pageSize, ...at }),
    { enabled: kind === undefined },
  );
  const happened = activity.data?.pages.flatMap(({ timeline }) => (timeline ?? []) as Activity[]) ?? [];
  const edits = kind === undefined ? folded(past.data?.pages.flatMap(({ data }) => data) ?? []) : [];
  return {
    items: merged(
      { items: happened, hasMore: activity.hasNextPage },
      { items: edits, hasMore: kind === undefined && past.hasNextPage },
    ),
    counts: activity.data?.pages[0]?.counts ?? {},
    isPending: activity.isPending || (kind === undefined && past.isPending),
    error: activity.error ?? past.error,
    hasMore: activity.hasNextPage || (kind === undefined && past.hasNextPage),
    more() {
      if (activity.hasNextPage) void activity.fetchNextPage();
      if (kind === undefined && past.hasNextPage) void past.fetchNextPage();
    },
    again() {
      void activity.refetch();
      if (kind === undefined) void past.refetch();
    },
  };
}
