import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { untilThere } from '../api/reach.ts';

/**
 * A part of the page whose code comes when it is first shown; `meanwhile` stands in its place. While the service is away it is waited
 * for: a part that is not there takes nothing away that is. React's own `lazy` shows nothing for 300 ms, however soon the code is there.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile?: ReactNode,
): ComponentType<Props> {
  let part: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const come = async () => {
    part = await load().catch(async () => {
      await untilThere();
      askForStylesAgain();
      return load();
    });
  };
  return function LazyPart(props: Props) {
    const [, setThere] = useState(part !== undefined);
    const [wrong, setWrong] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      if (part) return setThere(true);
      // One that did not come is fetched anew when it is opened again.
      coming ??= come().finally(() => (coming = undefined));
      coming.then(
        () => setThere(true),
        (error: unknown) => setWrong({ error }),
      );
    }, []);
    if (wrong) throw wrong.error;
    return part ? createElement(part, props) : meanwhile;
  };
}

/** A style that did not come is not asked for again by itself. */
function askForStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
}
