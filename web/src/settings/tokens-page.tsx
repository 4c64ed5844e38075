import { Setting } from './setting.tsx';

/** The page. */
export function TokensPage() {
  return <Setting page="tokens" />;
}
