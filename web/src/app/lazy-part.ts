import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { untilThere } from '../api/reach.ts';

/**
 * A component whose code is loaded when it is first rendered; `meanwhile` is shown until then. While the service is away it waits
 * instead of failing, so that the rest of the page stays. React's own `lazy` shows nothing for 300 ms, however soon the code
 * arrives.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  partOf: (module: Module) => ComponentType<Props>,
  meanwhile?: ReactNode,
): ComponentType<Props> {
  let part: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const come = async () => {
    const module = await load().catch(async () => {
      await untilThere();
      askForStylesAgain();
      return load().catch(importAgain<Module>);
    });
    part = partOf(module);
  };
  return function LazyPart(props: Props) {
    const [, setThere] = useState(part !== undefined);
    const [wrong, setWrong] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      if (part) return setThere(true);
      // A failed load is tried again when the part is opened again.
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

/**
 * Imports the module whose load failed under another address: Chrome answers the same one with the same failure until the page is
 * reloaded. Only the error names the address, and not in every browser.
 */
async function importAgain<Module>(error: unknown): Promise<Module> {
  const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
  if (address === undefined) throw error;
  return import(/* @vite-ignore */ `${address}?${Date.now()}`);
}

/** Reloads style sheets that failed: browsers do not retry them. */
function askForStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
}
