/** Light or dark, as docs/theme.js has begun: what is chosen here holds for all pages of the service. */
import { remember } from './remembered.ts';

const key = 'kith-theme';

/** Changes to the other one. */
export function changeTheme(): void {
  const root = document.documentElement;
  const shown = root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const chosen = shown === 'dark' ? 'light' : 'dark';
  root.dataset['theme'] = chosen;
  remember(key, chosen);
}
