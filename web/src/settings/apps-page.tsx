import { Setting } from './setting.tsx';

/** The page. */
export function AppsPage() {
  return <Setting page="apps" />;
}
