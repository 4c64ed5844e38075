import type { KeyboardEvent } from 'react';

/** For a select: Enter sends its form, as it does in any other field; in its open list it takes what is marked. */
export function sendOnEnter(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select } = event;
  const isOpen = CSS.supports('selector(:open)') && select.matches(':open');
  if (key !== 'Enter' || isOpen) return;
  event.preventDefault();
  select.form?.requestSubmit();
}
