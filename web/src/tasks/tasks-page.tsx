import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** Tasks by day. */
export function TasksPage() {
  const { shell } = useTexts();
  useTitle(shell.tasks);
  return <h1>{shell.tasks}</h1>;
}
