import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** One record. */
export function RecordPage() {
  const { shell } = useTexts();
  useTitle(shell.records);
  return <h1>{shell.records}</h1>;
}
