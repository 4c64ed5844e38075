import { Link } from '@tanstack/react-router';
import { dayOf, useMeetings } from '../calendar/meeting-data.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { dayAfter, dayText } from '../values/whole-days.ts';
import { Part } from './part.tsx';
import styles from './home.module.css';

/** Meetings that begin today. */
export function MeetingsToday() {
  const { home, shell, calendar } = useTexts();
  const formats = useFormats();
  const today = dayAfter(new Date(), 0);
  const { data, error, refetch } = useMeetings(today, 1);
  const meetings = (data?.meetings ?? []).filter((meeting) => dayOf(meeting) === dayText(today));
  return (
    <Part title={home.meetings} more={<Link to="/calendar">{shell.calendar}</Link>}>
      {!data ? (
        error ? (
          <Failure error={error} again={() => void refetch()} />
        ) : (
          <RowLines count={3} />
        )
      ) : meetings.length === 0 ? (
        <p className="dim">{home.noMeetings}</p>
      ) : (
        <ul>
          {meetings.map(({ id, title, start_time: start, all_day: isAllDay, status }) => (
            <li key={id} className={styles.line}>
              <time dateTime={start} className="dim">
                {isAllDay ? calendar.allDay : formats.time(start)}
              </time>
              <Link to="/calendar" search={{ view: 'day', meeting: id }} className="clip" data-status={status}>
                <bdi>{title ?? calendar.private}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
