import { Setting } from './setting.tsx';

/** The page. */
export function PeoplePage() {
  return <Setting page="people" />;
}
