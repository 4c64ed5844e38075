/** Queries for conversations. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  InboxThreadAnswer,
  InboxThreadsItem,
  InboxThreadsQuery,
  IntegrationsStatusAnswer,
} from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';

export type Thread = InboxThreadsItem;
export type Message = InboxThreadAnswer['messages'][number];
export type Channel = NonNullable<InboxThreadsQuery['channel']>;
export const channels: readonly Channel[] = ['all', 'email', 'meeting', 'linkedin', 'whatsapp', 'telegram'];

const pageSize = 50;
const freshMs = 60_000;

/** Pages of threads with their last messages, the latest first; `search` filters them. */
export function useThreads(channel: Channel, search: string) {
  return usePages(
    [...keys.threads, 'list', channel, search],
    (at, { signal }) =>
      kith.inbox.threads(
        { channel, limit: pageSize, last_message: true, ...at, ...(search !== '' && { search }) },
        { signal },
      ),
    { placeholderData: keepPreviousData, refetchInterval: freshMs },
  );
}

/** One thread; its messages come page by page, the latest first. */
export function useThread(id: string) {
  return useInfiniteQuery({
    queryKey: [...keys.threads, 'one', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      kith.inbox.thread(id, { message_cursor: pageParam!, message_limit: 30, contacts: true }, { signal }),
    getNextPageParam: ({ next_message_cursor: next }) => next ?? undefined,
    refetchInterval: freshMs,
  });
}

/** The states of the reader's accounts. */
export function useAccountStatus() {
  return useQuery({
    queryKey: [...keys.threads, 'accounts'],
    queryFn: ({ signal }) => kith.integrations.status({ signal }),
  });
}

/** The addresses of active accounts. */
export function activeIn(accounts: IntegrationsStatusAnswer['integrations']): readonly string[] {
  const active = accounts.flatMap(({ account_email: email, status }) =>
    email !== null && status === 'active' ? [email] : [],
  );
  return [...new Set(active)];
}
