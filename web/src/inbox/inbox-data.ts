/** Conversations as the pages ask for them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { InboxThreadAnswer, InboxThreadsItem, InboxThreadsQuery } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';

export type Thread = InboxThreadsItem;
export type Message = InboxThreadAnswer['messages'][number];
export type Channel = NonNullable<InboxThreadsQuery['channel']>;
export const channels: readonly Channel[] = ['all', 'email', 'meeting', 'linkedin', 'whatsapp', 'telegram'];

const pageSize = 50;
/** A search goes through all of them, and asks for many at once. */
const searchSize = 100;
const freshMs = 60_000;

/** Pages of threads, the latest first. */
export function useThreads(channel: Channel, isSearch: boolean) {
  const limit = isSearch ? searchSize : pageSize;
  return useInfiniteQuery({
    queryKey: [...keys.threads, 'list', channel, limit],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => kith.inbox.threads({ channel, limit, cursor: pageParam! }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: freshMs,
  });
}

/** One thread; its messages come the latest first, page by page. */
export function useThread(id: string) {
  return useInfiniteQuery({
    queryKey: [...keys.threads, 'one', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      kith.inbox.thread(id, { message_cursor: pageParam!, message_limit: 30 }, { signal }),
    getNextPageParam: ({ next_message_cursor: next }) => next ?? undefined,
    refetchInterval: freshMs,
  });
}

/** The last message of a thread: who wrote, and what; the list of threads does not tell it. */
export function useLastMessage({ id, last_message_date: last }: Thread, isWanted: boolean) {
  return useQuery({
    queryKey: [...keys.threads, 'last', id, last],
    queryFn: ({ signal }) => kith.inbox.thread(id, { message_limit: 1 }, { signal }),
    enabled: isWanted,
    staleTime: Infinity,
  }).data?.messages[0];
}

/** The accounts by which the reader's messages come and go. */
export function useAccounts() {
  return useQuery({
    queryKey: [...keys.threads, 'accounts'],
    queryFn: ({ signal }) => kith.integrations.status({ signal }),
  });
}
