import { useFormats, useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { dayAfter, dayText } from '../values/whole-days.ts';
import styles from './calendar.module.css';
import { MeetingBlock } from './day-grid.tsx';
import { dayOf, type Meeting } from './meeting-data.ts';

interface AgendaProps {
  readonly meetings: readonly Meeting[];
  readonly from: Date;
  readonly days: number;
  readonly open: (id: string) => void;
}

/** Days in order; days without meetings are left out. */
export function Agenda({ meetings, from, days, open }: AgendaProps) {
  const { calendar } = useTexts();
  const formats = useFormats();
  const byDay = Map.groupBy(meetings, dayOf);
  const shown = Array.from({ length: days }, (_, at) => dayText(dayAfter(from, at))).filter((day) => byDay.has(day));
  if (shown.length === 0) return <Empty>{calendar.none}</Empty>;
  return (
    <div className={styles.agenda}>
      {shown.map((day) => (
        <section key={day} aria-label={formats.longDay(day)}>
          <h2>{formats.longDay(day)}</h2>
          <ol>
            {(byDay.get(day) ?? []).map((meeting) => (
              <li key={meeting.id}>
                <MeetingBlock meeting={meeting} open={open} className={styles.line ?? ''} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
