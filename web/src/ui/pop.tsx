import { lazyPart } from '../app/lazy-part.ts';
import type { PopProps } from './pop-over.tsx';

/** What opens at a button; Esc closes it, and the focus returns. */
export const Pop = lazyPart<PopProps>(async () => (await import('./pop-over.tsx')).PopOver);
