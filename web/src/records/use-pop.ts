import { useRef, useState } from 'react';

/** State of a button that opens a popover. */
export function usePop() {
  const at = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return { at, isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}
