import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/language.tsx';
import { useNotificationActions, useNotifications } from '../notifications/notification-data.ts';
import { NotificationRow } from '../notifications/notification-row.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { Part } from './part.tsx';
import styles from './home.module.css';

const most = 5;

/** The latest notifications. */
export function News() {
  const { home } = useTexts();
  const { data, error, refetch } = useNotifications();
  const actions = useNotificationActions();
  const last = data?.pages[0]?.data.slice(0, most) ?? [];
  return (
    <Part title={home.news} more={<Link to="/notifications">{home.allNews}</Link>}>
      {!data ? (
        error ? (
          <Failure error={error} again={() => void refetch()} />
        ) : (
          <RowLines count={3} />
        )
      ) : last.length === 0 ? (
        <p className="dim">{home.noNews}</p>
      ) : (
        <ul className={styles.news}>
          {last.map((one) => (
            <li key={one.id} data-unread={one.read_at === null}>
              <NotificationRow one={one} actions={actions} />
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
