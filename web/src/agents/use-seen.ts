import { useEffect, useState } from 'react';

/** Whether the element of the ref is in view. */
export function useSeen(): [ref: (element: Element | null) => void, isSeen: boolean] {
  const [element, setElement] = useState<Element | null>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, isSeen];
}
