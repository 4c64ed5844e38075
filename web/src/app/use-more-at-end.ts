import { useEffect } from 'react';

/** So many rows before the end the next ones are asked for. */
const before = 10;

/** Asks for more of a list of `count` rows when those that are drawn come near its end. */
export function useMoreAtEnd(
  drawn: readonly { readonly index: number }[],
  count: number,
  more: (() => void) | undefined,
): void {
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= count - before) more();
  }, [more, last, count]);
}
