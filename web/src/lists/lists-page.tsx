import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** All lists. */
export function ListsPage() {
  const { shell } = useTexts();
  useTitle(shell.lists);
  return <h1>{shell.lists}</h1>;
}
