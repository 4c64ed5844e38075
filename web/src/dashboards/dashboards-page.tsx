import { useTexts } from '../i18n/language.tsx';
import { useTitle } from '../app/use-title.ts';

/** All dashboards. */
export function DashboardsPage() {
  const { shell } = useTexts();
  useTitle(shell.dashboards);
  return <h1>{shell.dashboards}</h1>;
}
