import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** Records that look the same. */
export function DuplicatesPage() {
  const { shell } = useTexts();
  useTitle(shell.duplicates);
  return <h1>{shell.duplicates}</h1>;
}
