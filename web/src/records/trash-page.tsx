import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** The trash of an object. */
export function TrashPage() {
  const { shell } = useTexts();
  useTitle(shell.records);
  return <h1>{shell.records}</h1>;
}
