import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** What is in a list. */
export function ListEntriesPage() {
  const { shell } = useTexts();
  useTitle(shell.lists);
  return <h1>{shell.lists}</h1>;
}
