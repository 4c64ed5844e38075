import { lazyPart } from '../app/lazy-part.ts';

/** The same, loaded on demand. */
export const Pop = lazyPart(
  () => import('./pop-over.tsx'),
  (file) => file.PopOver,
);
