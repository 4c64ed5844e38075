/** Light or dark, as docs/theme.js has begun: what is chosen here holds for all pages of the service. */
import { remember } from './remembered.ts';

const key = 'kith-theme';

/** As the system has it, or as was chosen. */
export type Theme = 'system' | 'light' | 'dark';

/** Changes to the other one. */
export function changeTheme(): void {
  const shown = document.documentElement.dataset['theme'] ?? (isSystemDark() ? 'dark' : 'light');
  chooseTheme(shown === 'dark' ? 'light' : 'dark');
}

/** What was chosen in this browser. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Chooses one. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  remember(key, theme === 'system' ? undefined : theme);
}

function isSystemDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
