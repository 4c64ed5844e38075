import { lazyPart } from '../app/lazy-part.ts';
import type { PopProps } from './pop-over.tsx';

/** The same, loaded on demand. */
export const Pop = lazyPart<PopProps>(async () => (await import('./pop-over.tsx')).PopOver);
