/** Notifications: queries, counts after reading one, and targets. */
import { useQuery, type InfiniteData } from '@tanstack/react-query';
import type { NotificationsListAnswer, NotificationsListItem } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { useOpenRecord } from '../app/use-open-record.ts';
import { useTexts } from '../i18n/language.tsx';
import { inSentence } from '../ui/in-sentence.ts';
import { toast } from '../ui/toasts.tsx';

export type Notification = NotificationsListItem;

const pageSize = 50;
const mostUnread = 100;
const listKey = [...keys.notifications, 'list'] as const;

/** Unread notifications. */
export function useUnread() {
  return useQuery({
    queryKey: [...listKey, 'unread'],
    queryFn: ({ signal }) => kith.notifications.list({ unread: true, limit: mostUnread }, { signal }),
  });
}

/** All notifications, the latest first, page by page. */
export function useNotifications() {
  return usePages([...listKey, 'all'], (at, { signal }) =>
    kith.notifications.list({ limit: pageSize, ...at }, { signal }),
  );
}

/** Actions on notifications. */
export function useNotificationActions() {
  const { notifications } = useTexts();
  const open = useOpenRecord();
  const again = () => queries.invalidateQueries({ queryKey: keys.notifications });
  const showError = (error: unknown) => toast({ text: messageOf(error), isBad: true });
  const mark = async (one: Notification, isRead: boolean) => {
    if ((one.read_at !== null) === isRead) return;
    showRead((each) => each.id === one.id, isRead ? -1 : 1, isRead);
    await kith.notifications.mark(one.id, { read: isRead }).catch(showError);
    await again();
  };
  return {
    mark,
    async markAll() {
      showRead(() => true, -Infinity, true);
      await kith.notifications
        .markAll({ read: true })
        .then(({ marked }) => toast({ text: notifications.allMarked(marked) }), showError);
      await again();
    },
    async open(one: Notification) {
      void mark(one, true);
      const { type, id, display } = one.entity;
      if (type === null || display === null) return toast({ text: notifications.gone });
      return open(type, id);
    },
  };
}

/** Updates the lists and the count in the side bar at once. */
function showRead(isMeant: (one: Notification) => boolean, change: number, isRead: boolean): void {
  const now = new Date().toISOString();
  const page = (old: NotificationsListAnswer): NotificationsListAnswer => ({
    ...old,
    unread: Math.max(0, old.unread + change),
    data: old.data.map((one) => (isMeant(one) ? { ...one, read_at: isRead ? (one.read_at ?? now) : null } : one)),
  });
  queries.setQueriesData<NotificationsListAnswer | InfiniteData<NotificationsListAnswer>>(
    { queryKey: keys.notifications },
    (old) => old && ('pages' in old ? { ...old, pages: old.pages.map(page) } : page(old)),
  );
}

/** The text in the reader's language; the service's own text for kinds that this version does not know. */
export function useSaid(): (one: Notification) => string {
  const { notifications } = useTexts();
  return ({ kind, actor, entity, message }) => {
    const words = Object.hasOwn(notifications.by, kind) && notifications.by[kind];
    return words && actor && entity.display !== null
      ? words(inSentence(actor.display), inSentence(entity.display))
      : message;
  };
}
