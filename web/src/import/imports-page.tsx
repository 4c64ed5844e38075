import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** Imports. */
export function ImportsPage() {
  const { shell } = useTexts();
  useTitle(shell.imports);
  return <h1>{shell.imports}</h1>;
}
