/** Light or dark, started by docs/theme.js: the choice holds for all pages of the service. */
import { remember } from './remembered.ts';

const key = 'kith-theme';

/** As in the system, or as chosen. */
export type Theme = 'system' | 'light' | 'dark';

/** Switches to the other theme. */
export function changeTheme(): void {
  const shown = document.documentElement.dataset['theme'] ?? (isSystemDark() ? 'dark' : 'light');
  chooseTheme(shown === 'dark' ? 'light' : 'dark');
}

/** The choice of this browser. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Stores the choice. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  remember(key, theme === 'system' ? undefined : theme);
}

function isSystemDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
