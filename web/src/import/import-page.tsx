import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** One import. */
export function ImportPage() {
  const { shell } = useTexts();
  useTitle(shell.imports);
  return <h1>{shell.imports}</h1>;
}
