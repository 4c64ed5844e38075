import { Setting } from './setting.tsx';

/** The page. */
export function KeyboardPage() {
  return <Setting page="keyboard" />;
}
