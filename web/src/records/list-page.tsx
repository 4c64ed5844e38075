import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** The records of an object, as a table or a board. */
export function ListPage() {
  const { shell } = useTexts();
  useTitle(shell.records);
  return <h1>{shell.records}</h1>;
}
