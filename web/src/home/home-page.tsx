import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** Home. */
export function HomePage() {
  const { shell } = useTexts();
  useTitle(shell.home);
  return <h1>{shell.home}</h1>;
}
