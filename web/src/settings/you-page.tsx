import { Setting } from './setting.tsx';

/** The page. */
export function YouPage() {
  return <Setting page="you" />;
}
