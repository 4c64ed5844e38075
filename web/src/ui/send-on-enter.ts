import type { KeyboardEvent } from 'react';

/** Makes Enter submit the form from a select, as from other fields; while its list is open, Enter takes the marked option. */
export function sendOnEnter(event: KeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget: select } = event;
  const isOpen = CSS.supports('selector(:open)') && select.matches(':open');
  if (key !== 'Enter' || isOpen) return;
  event.preventDefault();
  select.form?.requestSubmit();
}
