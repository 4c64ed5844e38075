// Light or dark: the system's scheme until the reader chooses. Runs before the first paint, to avoid flashing.
const root = document.documentElement;
const key = 'kith-theme';

try {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
} catch {
  // Without storage the system's scheme applies.
}

addEventListener('DOMContentLoaded', () => {
  for (const button of document.querySelectorAll('button.theme')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const shown = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
      root.dataset.theme = shown === 'dark' ? 'light' : 'dark';
      try {
        localStorage.setItem(key, root.dataset.theme);
      } catch {
        // Without storage the choice applies to this page only.
      }
    });
  }
});
