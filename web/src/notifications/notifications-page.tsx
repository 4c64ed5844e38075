/** What others did that concerns the reader, unread first. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { CheckCheck } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { keyText, useKeys } from '../app/keys.ts';
import { useActiveRow } from '../app/use-active-row.ts';
import { useIsPhone } from '../app/use-is-phone.ts';
import { useMoreAtEnd } from '../app/use-more-at-end.ts';
import { useTitle } from '../app/use-title.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { useNotificationActions, useNotifications, useUnread, type Notification } from './notification-data.ts';
import { NotificationRow } from './notification-row.tsx';
import styles from './notifications.module.css';

const [row, rowOnPhone] = [34, 56];

/** The page. */
export function NotificationsPage() {
  const { shell, notifications } = useTexts();
  useTitle(shell.notifications);
  const unread = useUnread();
  const all = useNotifications();
  const actions = useNotificationActions();
  const count = unread.data?.unread ?? 0;
  const lines = useMemo(() => linesOf(unread.data?.data ?? [], all.data?.pages ?? []), [unread.data, all.data]);
  useKeys(count > 0 ? [{ keys: 'shift+r', label: notifications.markAll, run: () => void actions.markAll() }] : []);
  const error = unread.error ?? all.error;
  const isKnown = unread.data !== undefined && all.data !== undefined;
  return (
    <>
      <TopBar title={shell.notifications}>
        <span className={styles.space} />
        {count > 0 && (
          <Button icon={<CheckCheck size={14} />} hint={keyText('shift+r')} onClick={() => void actions.markAll()}>
            {notifications.markAll}
          </Button>
        )}
      </TopBar>
      {!isKnown ? (
        error ? (
          <Failure error={error} again={() => (void unread.refetch(), void all.refetch())} />
        ) : (
          <RowLines />
        )
      ) : lines.length === 0 ? (
        <Empty>{notifications.none}</Empty>
      ) : (
        <Rows
          lines={lines}
          actions={actions}
          more={all.hasNextPage && !all.isFetchingNextPage ? () => void all.fetchNextPage() : undefined}
        />
      )}
    </>
  );
}

type Line = 'unread' | 'earlier' | Notification;

interface RowsProps {
  readonly lines: readonly Line[];
  readonly actions: ReturnType<typeof useNotificationActions>;
  readonly more: (() => void) | undefined;
}

function Rows({ lines, actions, more }: RowsProps) {
  const { notifications } = useTexts();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => lines.filter((line): line is Notification => typeof line !== 'string'), [lines]);
  const isPhone = useIsPhone();
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (isPhone ? rowOnPhone : row),
    getItemKey: (at) => keyOf(lines[at] ?? 'unread'),
    overscan: 6,
  });
  useEffect(() => virtual.measure(), [virtual, isPhone]);
  const active = useActiveRow(
    rows.map(({ id }) => id),
    (at) => virtual.scrollToIndex(lines.indexOf(rows[at]!)),
  );
  const one = rows[active.at];
  useKeys([
    { keys: 'ArrowDown', label: notifications.next, run: () => active.move(1) },
    { keys: 'ArrowUp', label: notifications.previous, run: () => active.move(-1) },
    { keys: 'Enter', label: notifications.open, run: () => one && void actions.open(one) },
    { keys: 'm', label: notifications.markRead, run: () => one && void actions.mark(one, one.read_at === null) },
  ]);
  const items = virtual.getVirtualItems();
  useMoreAtEnd(items, lines.length, more);
  return (
    <div ref={scroll} className={styles.scroll}>
      <ul aria-label={notifications.list} className={styles.rows} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const line = lines[index]!;
          const style = { transform: `translateY(${start}px)` };
          return typeof line === 'string' ? (
            <li key={key} className={styles.group} style={style}>
              {notifications[line]}
            </li>
          ) : (
            <li key={key} className={styles.item} style={style} data-unread={line.read_at === null}>
              <NotificationRow
                one={line}
                isActive={line.id === active.id}
                ref={active.ref(line.id)}
                choose={() => active.choose(line.id)}
                actions={actions}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function keyOf(line: Line): string {
  return typeof line === 'string' ? line : line.id;
}

/** Unread ones first, each once. */
function linesOf(unread: readonly Notification[], pages: readonly { data: readonly Notification[] }[]): Line[] {
  const all = pages.flatMap(({ data }) => data);
  const news = unread.filter(({ read_at: read }) => read === null);
  const ids = new Set(news.map(({ id }) => id));
  const rest = all.filter(({ id, read_at: read }) => !ids.has(id) && read !== null);
  return [
    ...(news.length > 0 ? (['unread', ...news] as const) : []),
    ...(rest.length > 0 ? (['earlier', ...rest] as const) : []),
  ];
}
