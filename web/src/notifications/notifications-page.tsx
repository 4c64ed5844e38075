import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** What concerns the reader. */
export function NotificationsPage() {
  const { shell } = useTexts();
  useTitle(shell.notifications);
  return <h1>{shell.notifications}</h1>;
}
