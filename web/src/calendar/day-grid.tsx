import { useEffect, useRef } from 'react';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { dayAfter, dayText } from '../values/whole-days.ts';
import styles from './calendar.module.css';
import { dayOf, placed, type Meeting } from './meeting-data.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** The first hour in view: the morning, with the whole name of an early meeting. */
const firstHour = 6.75;
const hourRem = 3;
/** Shorter blocks have title and time in one line. */
const shortHours = 0.75;

interface DayGridProps {
  readonly meetings: readonly Meeting[];
  readonly from: Date;
  readonly days: number;
  readonly open: (id: string) => void;
}

/** Days as columns, hours as rows; all-day meetings are at the top. */
export function DayGrid({ meetings, from, days, open }: DayGridProps) {
  const { calendar } = useTexts();
  const formats = useFormats();
  const scroll = useRef<HTMLDivElement>(null);
  const shown = Array.from({ length: days }, (_, at) => dayAfter(from, at));
  const byDay = Map.groupBy(meetings, dayOf);
  const today = dayText(new Date());
  useEffect(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    scroll.current?.scrollTo({ top: firstHour * hourRem * rem });
  }, []);
  return (
    <div
      ref={scroll}
      className={styles.grid}
      tabIndex={0}
      role="group"
      aria-label={calendar.week}
      style={{ '--days': days }}
    >
      <div className={styles.corner} />
      {shown.map((day) => {
        const text = dayText(day);
        return (
          <div key={text} className={styles.head} data-today={text === today}>
            <h2>{days === 1 ? formats.longDay(text) : formats.weekDay(text)}</h2>
            {(byDay.get(text) ?? [])
              .filter((meeting) => meeting.all_day)
              .map((meeting) => (
                <MeetingBlock key={meeting.id} meeting={meeting} open={open} className={styles.allDay ?? ''} />
              ))}
          </div>
        );
      })}
      <div className={styles.hours} aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour}>{hour === 0 ? '' : formats.time(new Date(2026, 0, 1, hour).toISOString())}</span>
        ))}
      </div>
      {shown.map((day) => {
        const text = dayText(day);
        return (
          <ol key={text} className={styles.day} aria-label={formats.longDay(text)} data-today={text === today}>
            {placed(byDay.get(text) ?? [], day).map(({ meeting, from: start, hours: length, column, columns }) => (
              <li
                key={meeting.id}
                className={styles.place}
                data-short={length < shortHours}
                style={{ '--from': start, '--hours': length, '--column': column, '--columns': columns }}
              >
                <MeetingBlock meeting={meeting} open={open} className={styles.timed ?? ''} />
              </li>
            ))}
          </ol>
        );
      })}
    </div>
  );
}

interface MeetingBlockProps {
  readonly meeting: Meeting;
  readonly open: (id: string) => void;
  readonly className: string;
}

/** A meeting that opens its details. */
export function MeetingBlock({ meeting, open, className }: MeetingBlockProps) {
  const { calendar } = useTexts();
  const formats = useFormats();
  const title = meeting.title ?? calendar.private;
  const state = meeting.status === 'confirmed' ? undefined : calendar[meeting.status];
  return (
    <button
      type="button"
      className={className}
      data-status={meeting.status}
      title={title}
      onClick={() => open(meeting.id)}
    >
      <bdi className={styles.title}>{title}</bdi>
      <span className={styles.time}>
        {meeting.all_day ? calendar.allDay : formats.time(meeting.start_time)}
        {state !== undefined && ` · ${state}`}
      </span>
    </button>
  );
}
