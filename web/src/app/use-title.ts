import { useEffect } from 'react';

/** The page's title, as tabs and readers of the screen tell it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Kith`;
  }, [title]);
}
