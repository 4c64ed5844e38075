import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** One dashboard. */
export function DashboardPage() {
  const { shell } = useTexts();
  useTitle(shell.dashboards);
  return <h1>{shell.dashboards}</h1>;
}
