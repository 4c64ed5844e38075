import { useEffect } from 'react';

/** The distance from the end, in rows, at which the next page is fetched. */
const before = 10;

/** Fetches more of a list of `count` rows when rendered rows come near its end. */
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
