import { Setting } from './setting.tsx';

/** The page. */
export function OrganizationPage() {
  return <Setting page="organization" />;
}
