/** Meetings by week, by day, or as a list. */
import { Link, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { keyText } from '../app/keys.ts';
import { useTitle } from '../app/use-title.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { Agenda } from './agenda.tsx';
import styles from './calendar.module.css';
import { DayGrid } from './day-grid.tsx';
import { useMeetings } from './meeting-data.ts';
import { MeetingSheet } from './meeting-sheet.tsx';
import { NewTask, NewTaskButton } from './new-task.tsx';
import { useShown, views, type Shown } from './use-shown.ts';

/** The page; `?view=` and `?day=` say what is shown, `?meeting=` which one is open. */
export function CalendarPage() {
  const { shell } = useTexts();
  useTitle(shell.calendar);
  const { meeting } = useSearch({ strict: false });
  const shown = useShown();
  const found = useMeetings(shown.from, shown.days);
  const [isTask, setTask] = useState(false);
  const opened = found.data?.meetings.find(({ id }) => id === meeting);
  return (
    <>
      <Bar shown={shown} beginTask={() => setTask(true)} />
      {isTask && <NewTask day={shown.day} close={() => setTask(false)} />}
      <div className={styles.panes}>
        <Meetings shown={shown} found={found} />
        {opened && <MeetingSheet meeting={opened} close={() => shown.go({})} />}
      </div>
    </>
  );
}

/** The shown days, and navigation to others. */
function Bar({ shown, beginTask }: { shown: Shown; beginTask: () => void }) {
  const { shell, calendar } = useTexts();
  const { day } = useSearch({ strict: false });
  return (
    <TopBar title={shell.calendar}>
      <Tabs
        label={calendar.shown}
        chosen={shown.view}
        tabs={views.map((id) => ({
          id,
          label: calendar[id],
          to: '/calendar',
          search: { view: id, ...(day !== undefined && { day }) },
        }))}
      />
      <span className={styles.space} />
      <span className={styles.span}>{shown.name}</span>
      <Button
        kind="bare"
        aria-label={calendar.previous}
        icon={<ChevronLeft size={16} />}
        onClick={() => shown.move(-1)}
      />
      <Button hint={keyText('t')} onClick={shown.today}>
        {calendar.today}
      </Button>
      <Button kind="bare" aria-label={calendar.next} icon={<ChevronRight size={16} />} onClick={() => shown.move(1)} />
      <NewTaskButton begin={beginTask} />
    </TopBar>
  );
}

function Meetings({ shown, found }: { shown: Shown; found: ReturnType<typeof useMeetings> }) {
  const { calendar } = useTexts();
  const { data, error, refetch } = found;
  const { view, from, days } = shown;
  const open = (meeting: string) => shown.go({ meeting });
  return (
    <section className={styles.main} aria-label={shown.name}>
      {!data ? (
        error ? (
          <Failure error={error} again={() => void refetch()} />
        ) : (
          <RowLines />
        )
      ) : !data.hasCalendar ? (
        <Empty action={<Link to="/settings/accounts">{calendar.connect}</Link>}>{calendar.noCalendar}</Empty>
      ) : view === 'agenda' ? (
        <Agenda meetings={data.meetings} from={from} days={days} open={open} />
      ) : (
        <DayGrid key={view} meetings={data.meetings} from={from} days={days} open={open} />
      )}
      <p className={styles.zone}>{calendar.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
    </section>
  );
}
