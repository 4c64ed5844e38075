import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useKeys } from '../app/keys.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import styles from './calendar.module.css';
import { dayOf, type Meeting } from './meeting-data.ts';

/** The details of a meeting, beside the calendar. */
export function MeetingSheet({ meeting, close }: { meeting: Meeting; close: () => void }) {
  const { calendar, shell } = useTexts();
  const formats = useFormats();
  useKeys([{ keys: 'Escape', label: shell.close, run: close }]);
  const times = meeting.all_day
    ? calendar.allDay
    : [meeting.start_time, meeting.end_time].flatMap((time) => (time === null ? [] : [formats.time(time)])).join(' – ');
  return (
    <aside className={styles.sheet} aria-label={calendar.meeting}>
      <div className={styles.sheetHead}>
        <h2>
          <bdi>{meeting.title ?? calendar.private}</bdi>
        </h2>
        <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={close} />
      </div>
      <p>
        {formats.longDay(dayOf(meeting))}, {times}
      </p>
      {meeting.status !== 'confirmed' && <p className={styles.state}>{calendar[meeting.status]}</p>}
      {meeting.location !== null && (
        <p>
          <span className="dim">{calendar.place}: </span>
          <bdi>{meeting.location}</bdi>
        </p>
      )}
      <Join url={meeting.meeting_url} />
      {meeting.thread_id !== null && (
        <Link to="/inbox/$thread" params={{ thread: meeting.thread_id }}>
          {calendar.thread}
        </Link>
      )}
      {meeting.attendees.length > 0 && (
        <section>
          <h3>{calendar.attendees}</h3>
          <ul>
            {meeting.attendees.map((one) => (
              <Attendee key={one.email} {...one} />
            ))}
          </ul>
        </section>
      )}
      {meeting.linked_entities.length > 0 && (
        <section>
          <h3>{calendar.about}</h3>
          <ul>
            {meeting.linked_entities.map(({ type, id, display }) => (
              <li key={id}>
                <Link to="/r/$object/$id" params={{ object: type, id }}>
                  <bdi>{display ?? id}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Attendee({ name, email, response, contact_id: contactId }: Meeting['attendees'][number]) {
  const { calendar } = useTexts();
  const called = name ?? email;
  return (
    <li className={styles.attendee} title={email}>
      <Avatar name={called} />
      {contactId === undefined ? (
        <bdi className="clip">{called}</bdi>
      ) : (
        <Link to="/r/$object/$id" params={{ object: 'contacts', id: contactId }} className="clip">
          <bdi>{called}</bdi>
        </Link>
      )}
      {response !== null && <span className="dim">{calendar.responses[response] ?? response}</span>}
    </li>
  );
}

/** Links only http and https addresses: the organizer chose the address. */
function Join({ url }: { url: string | null }) {
  const { calendar } = useTexts();
  if (url === null || !/^https?:\/\//i.test(url)) return undefined;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {calendar.join}
    </a>
  );
}
