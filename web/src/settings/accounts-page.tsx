import { Setting } from './setting.tsx';

/** The page. */
export function AccountsPage() {
  return <Setting page="accounts" />;
}
