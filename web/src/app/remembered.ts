/** What this browser keeps of its reader's choices; where nothing may be kept, they last as long as the page. */
const onThisPage = new Map<string, string>();

/** What was remembered last under `key`. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? onThisPage.get(key);
  } catch {
    return onThisPage.get(key);
  }
}

/** Remembers `value`; undefined forgets. */
export function remember(key: string, value: string | undefined): void {
  if (value === undefined) onThisPage.delete(key);
  else onThisPage.set(key, value);
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // It counts on this page alone.
  }
}
