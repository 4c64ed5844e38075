import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** What agents did. */
export function AgentsPage() {
  const { shell } = useTexts();
  useTitle(shell.agents);
  return <h1>{shell.agents}</h1>;
}
