/** Choices stored in this browser; in memory if storage is not allowed. */
const onThisPage = new Map<string, string>();

/** The stored value of `key`. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? onThisPage.get(key);
  } catch {
    return onThisPage.get(key);
  }
}

/** Stores `value`; undefined removes it. */
export function remember(key: string, value: string | undefined): void {
  if (value === undefined) onThisPage.delete(key);
  else onThisPage.set(key, value);
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is not allowed: the value lasts as long as the page.
  }
}
