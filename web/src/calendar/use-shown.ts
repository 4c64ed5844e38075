/** The days that the calendar shows, by its address, and navigation to others. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sideArrows } from '../app/direction.ts';
import { useKeys } from '../app/keys.ts';
import { useIsPhone } from '../app/use-is-phone.ts';
import { dateOf } from '../i18n/formats.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { dayAfter, dayText, mondayOf } from '../values/whole-days.ts';

export const views = ['week', 'day', 'agenda'] as const;
type View = (typeof views)[number];

export interface Shown {
  readonly view: View;
  /** The selected day. */
  readonly day: Date;
  /** The first day, and the number of days. */
  readonly from: Date;
  readonly days: number;
  /** The days as text. */
  readonly name: string;
  /** Changes the address; closes the open meeting unless `to` names one. */
  go(to: Readonly<Record<string, string | undefined>>): void;
  /** Moves by so many times the number of shown days. */
  move(by: number): void;
  today(): void;
}

/** The days of the address, and the keys that change them. */
export function useShown(): Shown {
  const { calendar } = useTexts();
  const formats = useFormats();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const isPhone = useIsPhone();
  const view: View = views.find((one) => one === search['view']) ?? (isPhone ? 'agenda' : 'week');
  const day = dayGiven(search['day']);
  const days = view === 'day' ? 1 : 7;
  const from = view === 'day' ? day : mondayOf(day);
  const go = (to: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '/calendar', search: { ...search, meeting: undefined, ...to } });
  const move = (by: number) => go({ day: dayText(dayAfter(day, by * days)) });
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
  const name =
    view === 'day'
      ? formats.longDay(dayText(day))
      : `${formats.day(dayText(from))} – ${formats.day(dayText(dayAfter(from, 6)))}`;
  return { view, day, from, days, name, go, move, today };
}

function dayGiven(text: string | undefined): Date {
  const given = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? dateOf(text) : new Date();
  return dayAfter(Number.isNaN(given.valueOf()) ? new Date() : given, 0);
}
