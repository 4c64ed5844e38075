import { lazy, type ComponentType } from 'react';
import { untilThere } from '../api/reach.ts';

/**
 * A part of the page whose code comes when it is first shown. While the service is away it is waited for: a part that is not there
 * takes nothing away that is.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- React's own bound: any properties, which are kept
export function lazyPart<Part extends ComponentType<any>>(load: () => Promise<Part>) {
  return lazy(async () => ({
    default: await load().catch(async () => {
      await untilThere();
      askForStylesAgain();
      return load();
    }),
  }));
}

/** A style that did not come is not asked for again by itself. */
function askForStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
}
