import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** Meetings. */
export function CalendarPage() {
  const { shell } = useTexts();
  useTitle(shell.calendar);
  return <h1>{shell.calendar}</h1>;
}
