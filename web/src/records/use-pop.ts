import { useRef, useState } from 'react';

/** A button with something that opens at it. */
export function usePop() {
  const at = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return { at, isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}
