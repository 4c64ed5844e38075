import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef } from 'react';
import { useKeys } from '../app/keys.ts';
import { useActiveRow } from '../app/use-active-row.ts';
import { useMoreAtEnd } from '../app/use-more-at-end.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { channels, useAccountStatus, useThreads, type Thread } from './inbox-data.ts';
import styles from './inbox.module.css';
import { ThreadRow } from './thread-row.tsx';

const rowHeight = 76;

interface ThreadListProps {
  /** The open thread's id. */
  readonly openId: string | undefined;
}

/** The threads of a channel, filtered by the search. */
export function ThreadList({ openId }: ThreadListProps) {
  const { inbox } = useTexts();
  const { channel: wanted, q = '' } = useSearch({ strict: false });
  const channel = channels.find((one) => one === wanted) ?? 'all';
  // Each letter is a search; deferring skips those typed quickly.
  const text = useDeferredValue(q.trim());
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useThreads(channel, text);
  const threads = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  const more = hasNextPage && !isFetching ? () => void fetchNextPage() : undefined;
  if (!data) return error ? <Failure error={error} again={() => void refetch()} /> : <RowLines />;
  const total = data.pages[0]?.total ?? 0;
  return (
    <>
      {text !== '' && (
        <p className={styles.searched} role="status">
          {inbox.searched(total)}
        </p>
      )}
      {threads.length > 0 ? (
        <Rows threads={threads} total={total} openId={openId} more={more} />
      ) : text !== '' ? (
        <Empty>{inbox.noFit(text)}</Empty>
      ) : (
        <NoThreads isAll={channel === 'all'} />
      )}
    </>
  );
}

function NoThreads({ isAll }: { isAll: boolean }) {
  const { inbox } = useTexts();
  const { data } = useAccountStatus();
  const hasNone = data?.integrations.length === 0;
  return (
    <Empty action={hasNone && <Link to="/settings/accounts">{inbox.connect}</Link>}>
      {hasNone ? inbox.noAccount : isAll ? inbox.noThreads : inbox.noThreadsHere}
    </Empty>
  );
}

interface RowsProps {
  readonly threads: readonly Thread[];
  readonly total: number;
  readonly openId: string | undefined;
  readonly more: (() => void) | undefined;
}

function Rows({ threads, total, openId, more }: RowsProps) {
  const { inbox } = useTexts();
  const { reader } = useWorkspace();
  const { data: accounts } = useAccountStatus();
  const own = [reader.email, ...(accounts?.integrations ?? []).map(({ account_email: email }) => email ?? '')];
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: threads.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (at) => threads[at]?.id ?? at,
    overscan: 4,
  });
  const { active, open } = useOpening(threads, openId, (at) => virtual.scrollToIndex(at));
  const items = virtual.getVirtualItems();
  useMoreAtEnd(items, threads.length, more);
  return (
    <div ref={scroll} className={styles.scroll}>
      <ul aria-label={inbox.threads} className={styles.rows} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const thread = threads[index]!;
          return (
            <li
              key={key}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              <ThreadRow
                thread={thread}
                own={own}
                isOpen={thread.id === openId}
                isActive={thread.id === (openId ?? active.id)}
                ref={active.ref(thread.id)}
                open={() => open(thread.id)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Opens threads, also the next and previous one by keys: `show` scrolls to an index. */
function useOpening(threads: readonly Thread[], openId: string | undefined, show: (at: number) => void) {
  const { inbox } = useTexts();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const active = useActiveRow(
    threads.map(({ id }) => id),
    show,
  );
  const open = (id: string, replace = false) =>
    void navigate({ to: '/inbox/$thread', params: { thread: id }, search, replace });
  const go = (step: number) => {
    const at = threads.findIndex(({ id }) => id === openId);
    const next = threads[at < 0 ? Math.max(0, active.at) : Math.max(0, Math.min(threads.length - 1, at + step))];
    if (!next) return;
    show(threads.indexOf(next));
    active.choose(next.id, true);
    open(next.id, openId !== undefined);
  };
  useKeys([
    { keys: 'ArrowDown', label: inbox.next, run: () => go(1) },
    { keys: 'ArrowUp', label: inbox.previous, run: () => go(-1) },
  ]);
  return { active, open };
}
