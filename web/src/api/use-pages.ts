import {
  infiniteQueryOptions,
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';

type Cursor = string | undefined;

/** Where a page begins, as requests say it: the first one says nothing. */
interface At {
  readonly cursor?: string;
}

interface Page {
  /** Where the next one begins; the last one has none. */
  readonly nextCursor?: string;
}

type Options<P> = Pick<
  UseInfiniteQueryOptions<P, Error, InfiniteData<P, Cursor>, QueryKey, Cursor>,
  'enabled' | 'placeholderData' | 'refetchInterval'
>;

/** How a list is asked for that the service gives by pages. */
export function pagesOf<P extends Page>(
  queryKey: QueryKey,
  ask: (at: At, context: { readonly signal: AbortSignal }) => Promise<P>,
) {
  return infiniteQueryOptions<P, Error, InfiniteData<P, Cursor>, QueryKey, Cursor>({
    queryKey,
    // Whoever takes the signal has the request ended with the page: so it is not taken here.
    queryFn: (context) => ask(context.pageParam === undefined ? {} : { cursor: context.pageParam }, context),
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A list that the service gives by pages: the first one at once, further ones as they are asked for. */
export function usePages<P extends Page>(
  queryKey: QueryKey,
  ask: (at: At, context: { readonly signal: AbortSignal }) => Promise<P>,
  options: Options<P> = {},
): UseInfiniteQueryResult<InfiniteData<P, Cursor>> {
  return useInfiniteQuery({ ...options, ...pagesOf(queryKey, ask) });
}
