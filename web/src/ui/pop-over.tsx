import type { ReactNode, RefObject } from 'react';
import { Anchored } from './anchored.tsx';

export interface PopProps {
  readonly at: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly close: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A popover at a button; Esc closes it and returns the focus. */
export function PopOver({ at, ...box }: PopProps) {
  return <Anchored at={at.current} {...box} />;
}
