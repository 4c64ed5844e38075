import { Check, Undo2 } from 'lucide-react';
import type { Ref } from 'react';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Dot } from '../ui/chip.tsx';
import { useSaid, type Notification, type useNotificationActions } from './notification-data.ts';
import styles from './notifications.module.css';

interface NotificationRowProps {
  readonly one: Notification;
  readonly isActive?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly choose?: () => void;
  readonly actions: ReturnType<typeof useNotificationActions>;
}

/** Who did what, and when; opens its subject, which marks it as read. */
export function NotificationRow({ one, isActive = true, ref, choose, actions }: NotificationRowProps) {
  const { notifications } = useTexts();
  const formats = useFormats();
  const said = useSaid();
  const isUnread = one.read_at === null;
  return (
    <div className={styles.row}>
      <button
        type="button"
        ref={ref}
        tabIndex={isActive ? 0 : -1}
        className={styles.open}
        onFocus={choose}
        onClick={() => void actions.open(one)}
      >
        <span className={styles.mark}>{isUnread && <Dot color="var(--accent-line)" />}</span>
        <Avatar name={one.actor?.display ?? '?'} />
        {isUnread && <span className="unseen">{notifications.unread}: </span>}
        <bdi className={styles.said}>{said(one)}</bdi>
        <time dateTime={one.created_at} className="dim">
          {formats.near(one.created_at)} {formats.time(one.created_at)}
        </time>
      </button>
      <Button
        kind="bare"
        tabIndex={isActive ? 0 : -1}
        aria-label={isUnread ? notifications.markRead : notifications.markUnread}
        title={isUnread ? notifications.markRead : notifications.markUnread}
        icon={isUnread ? <Check size={14} /> : <Undo2 size={14} />}
        onClick={() => void actions.mark(one, isUnread)}
      />
    </div>
  );
}
