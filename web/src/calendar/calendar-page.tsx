/** Meetings by week, by day, or one after the other. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { sideArrows } from '../app/direction.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { useTitle } from '../app/use-title.ts';
import { dateOf } from '../i18n/formats.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { dayAfter, dayText, mondayOf } from '../values/whole-days.ts';
import { Agenda } from './agenda.tsx';
import styles from './calendar.module.css';
import { DayGrid } from './day-grid.tsx';
import { useMeetings } from './meeting-data.ts';
import { MeetingSheet } from './meeting-sheet.tsx';

const views = ['week', 'day', 'agenda'] as const;
type View = (typeof views)[number];

const phone = '(width < 40rem)';

/** The page; `?view=` and `?day=` say what is shown, `?meeting=` which one is open. */
export function CalendarPage() {
  const { shell, calendar } = useTexts();
  const formats = useFormats();
  useTitle(shell.calendar);
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const isPhone = useIsPhone();
  const view: View = views.find((one) => one === search['view']) ?? (isPhone ? 'agenda' : 'week');
  const day = dayGiven(search['day']);
  const step = view === 'day' ? 1 : 7;
  const from = view === 'day' ? day : mondayOf(day);
  const { data, error, refetch } = useMeetings(from, step);
  const go = (to: Record<string, string | undefined>) =>
    void navigate({ to: '/calendar', search: { ...search, meeting: undefined, ...to } });
  const move = (by: number) => go({ day: dayText(dayAfter(day, by * step)) });
  const today = () => go({ day: undefined });
  const { forward, backward } = sideArrows();
  useKeys([
    { keys: backward, label: calendar.previous, run: () => move(-1) },
    { keys: forward, label: calendar.next, run: () => move(1) },
    { keys: 't', label: calendar.today, run: today },
    { keys: 'w', label: calendar.week, run: () => go({ view: 'week' }) },
    { keys: 'd', label: calendar.day, run: () => go({ view: 'day' }) },
    { keys: 'a', label: calendar.agenda, run: () => go({ view: 'agenda' }) },
  ]);
  const open = (id: string) => go({ meeting: id });
  const opened = data?.meetings.find(({ id }) => id === search['meeting']);
  const span =
    view === 'day'
      ? formats.longDay(dayText(day))
      : `${formats.day(dayText(from))} – ${formats.day(dayText(dayAfter(from, 6)))}`;
  return (
    <>
      <TopBar title={shell.calendar}>
        <Tabs
          label={calendar.shown}
          chosen={view}
          tabs={views.map((id) => ({
            id,
            label: calendar[id],
            to: '/calendar',
            search: { view: id, ...(search['day'] !== undefined && { day: search['day'] }) },
          }))}
        />
        <span className={styles.space} />
        <span className={styles.span}>{span}</span>
        <Button kind="bare" aria-label={calendar.previous} icon={<ChevronLeft size={16} />} onClick={() => move(-1)} />
        <Button hint={keyText('t')} onClick={today}>
          {calendar.today}
        </Button>
        <Button kind="bare" aria-label={calendar.next} icon={<ChevronRight size={16} />} onClick={() => move(1)} />
      </TopBar>
      <div className={styles.panes}>
        <section className={styles.main} aria-label={span}>
          {!data ? (
            error ? (
              <Failure error={error} again={() => void refetch()} />
            ) : (
              <RowLines />
            )
          ) : !data.hasCalendar ? (
            <Empty action={<Link to="/settings/accounts">{calendar.connect}</Link>}>{calendar.noCalendar}</Empty>
          ) : view === 'agenda' ? (
            <Agenda meetings={data.meetings} from={from} days={step} open={open} />
          ) : (
            <DayGrid key={view} meetings={data.meetings} from={from} days={step} open={open} />
          )}
          <p className={styles.zone}>{calendar.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
        </section>
        {opened && <MeetingSheet meeting={opened} close={() => go({})} />}
      </div>
    </>
  );
}

function dayGiven(text: string | undefined): Date {
  const given = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? dateOf(text) : new Date();
  return dayAfter(Number.isNaN(given.valueOf()) ? new Date() : given, 0);
}

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const list = matchMedia(phone);
      list.addEventListener('change', watcher);
      return () => list.removeEventListener('change', watcher);
    },
    () => matchMedia(phone).matches,
  );
}
