import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** Threads of all channels. */
export function InboxPage() {
  const { shell } = useTexts();
  useTitle(shell.inbox);
  return <h1>{shell.inbox}</h1>;
}
