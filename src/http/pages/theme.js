// Light or dark: as the system has it, until the reader chooses. It runs before the page is drawn, so that nothing flashes.
const root = document.documentElement;
const key = 'kith-theme';

try {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
} catch {
  // Where nothing may be kept, the system's it is.
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
        // It counts on this page alone.
      }
    });
  }
});
