import { useLayoutEffect, useMemo, useRef } from 'react';

type RowKeys = ReadonlyMap<number, number>;

const none: RowKeys = new Map();

/**
 * A key of React's for each of the rows that are drawn, ascending indexes: a row that comes takes the place of one that goes. What is
 * there is written over, which costs less than making it anew.
 */
export function useRowKeys(indexes: readonly number[]): RowKeys {
  const drawn = useRef(none);
  const keys = useMemo(() => rowKeysOf(indexes, drawn.current), [indexes]);
  useLayoutEffect(() => {
    drawn.current = keys;
  }, [keys]);
  return keys;
}

/** The keys of these rows: those that were drawn keep theirs, the others get those that are free, the lowest first. */
export function rowKeysOf(indexes: readonly number[], drawn: RowKeys): RowKeys {
  const keys = new Map(indexes.map((index) => [index, drawn.get(index)]));
  const taken = new Set(keys.values());
  let next = 0;
  for (const [index, key] of keys) {
    if (key !== undefined) continue;
    while (taken.has(next)) next++;
    keys.set(index, next++);
  }
  return keys as RowKeys;
}
