import { Setting } from './setting.tsx';

/** The page. */
export function RolesPage() {
  return <Setting page="roles" />;
}
