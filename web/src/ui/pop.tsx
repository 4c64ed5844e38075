import { Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import type { PopProps } from './pop-over.tsx';

// Nothing is open when a list is first shown.
const PopOver = lazyPart(async () => (await import('./pop-over.tsx')).PopOver);

/** What opens at a button; Esc closes it, and the focus returns. */
export function Pop(props: PopProps) {
  return (
    <Suspense>
      <PopOver {...props} />
    </Suspense>
  );
}
