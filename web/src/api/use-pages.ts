import {
  infiniteQueryOptions,
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';

type Cursor = string | undefined;

/** The position of a page in a request; empty for the first one. */
interface At {
  readonly cursor?: string;
}

interface Page {
  /** The cursor of the next page; the last one has none. */
  readonly nextCursor?: string;
}

type Options<P> = Pick<
  UseInfiniteQueryOptions<P, Error, InfiniteData<P, Cursor>, QueryKey, Cursor>,
  'enabled' | 'placeholderData' | 'refetchInterval'
>;

/** The options of an infinite query over a paged list. */
export function pagesOf<P extends Page>(
  queryKey: QueryKey,
  ask: (at: At, context: { readonly signal: AbortSignal }) => Promise<P>,
) {
  return infiniteQueryOptions<P, Error, InfiniteData<P, Cursor>, QueryKey, Cursor>({
    queryKey,
    // Reading the signal would end the request with the component, so it is not read here.
    queryFn: (context) => ask(context.pageParam === undefined ? {} : { cursor: context.pageParam }, context),
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A paged list: the first page at once, further ones on demand. */
export function usePages<P extends Page>(
  queryKey: QueryKey,
  ask: (at: At, context: { readonly signal: AbortSignal }) => Promise<P>,
  options: Options<P> = {},
): UseInfiniteQueryResult<InfiniteData<P, Cursor>> {
  return useInfiniteQuery({ ...options, ...pagesOf(queryKey, ask) });
}
