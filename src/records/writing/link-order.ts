/**
 * Where links stand among each other. A position is a number between those of its neighbours and stays while others come, go
 * and move; so a change costs the links that it moves, and what each position was at a time does not depend on the others.
 */

/** Positions of a new list lie so far apart: a place between two neighbours can be halved sixteen times. */
const spacing = 65_536;
/** The largest number that the column holds. */
export const farthestPosition = 2_147_483_647;

export interface Placement {
  /** The positions that change: of links that are new or moved, or of all where there was no room between two neighbours. */
  readonly positions: ReadonlyMap<string, number>;
  /** Links that were there, and stand elsewhere among those that stay: as few as can explain the new order. */
  readonly moved: readonly string[];
}

/** The position of the link at place `at` of a list that begins anew. */
export function firstPosition(at: number): number {
  return at * spacing;
}

/** How links that stand at `stored` come to stand in the order of `wanted`. */
export function place(stored: ReadonlyMap<string, number>, wanted: readonly string[]): Placement {
  const staying = longestRising(
    wanted.filter((id) => stored.has(id)),
    ranksOf(stored),
  );
  const moved = wanted.filter((id) => stored.has(id) && !staying.has(id));
  const between = placedBetween(stored, wanted, staying);
  return { positions: between ?? new Map(wanted.map((id, at) => [id, firstPosition(at)])), moved };
}

/** Links of one position stand in the order of their ids. */
function ranksOf(stored: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const inOrder = [...stored].toSorted(([a, at], [b, other]) => at - other || (a < b ? -1 : 1));
  return new Map(inOrder.map(([id], rank) => [id, rank]));
}

/** Positions for what does not stay, between those of its neighbours that do; undefined where some have no room. */
function placedBetween(
  stored: ReadonlyMap<string, number>,
  wanted: readonly string[],
  staying: ReadonlySet<string>,
): ReadonlyMap<string, number> | undefined {
  const positions = new Map<string, number>();
  let before: number | undefined;
  for (let at = 0; at < wanted.length;) {
    let end = at;
    while (end < wanted.length && !staying.has(wanted[end]!)) end++;
    const after = end < wanted.length ? stored.get(wanted[end]!) : undefined;
    const count = end - at;
    for (let index = 0; index < count; index++) {
      const position = positionOf(index, count, before, after);
      if (position === undefined) return undefined;
      positions.set(wanted[at + index]!, position);
    }
    before = after;
    at = end + 1;
  }
  return positions;
}

/** The position of the `index`th of `count` links between two neighbours. */
function positionOf(index: number, count: number, before?: number, after?: number): number | undefined {
  if (before !== undefined && after !== undefined) {
    const step = (after - before) / (count + 1);
    return step < 1 ? undefined : Math.floor(before + step * (index + 1));
  }
  const position =
    before !== undefined
      ? before + spacing * (index + 1)
      : after !== undefined
        ? after - spacing * (count - index)
        : firstPosition(index);
  return Math.abs(position) > farthestPosition ? undefined : position;
}

/** A longest part of `ids` of which the ranks rise (patience sorting). */
function longestRising(ids: readonly string[], ranks: ReadonlyMap<string, number>): ReadonlySet<string> {
  /** At each length, the end of the rising part that ends lowest; what stands before each. */
  const ends: string[] = [];
  const previous = new Map<string, string | undefined>();
  for (const id of ids) {
    const rank = ranks.get(id)!;
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if (ranks.get(ends[middle]!)! < rank) low = middle + 1;
      else high = middle;
    }
    previous.set(id, ends[low - 1]);
    ends[low] = id;
  }
  const rising = new Set<string>();
  for (let id = ends.at(-1); id !== undefined; id = previous.get(id)) rising.add(id);
  return rising;
}

/** Positions for `count` links behind the one at `last`, or of a list that begins; undefined where there is no room. */
export function positionsBehind(last: number | undefined, count: number): readonly number[] | undefined {
  const positions = Array.from({ length: count }, (_, index) => positionOf(index, count, last) ?? Infinity);
  return positions.every(Number.isFinite) ? positions : undefined;
}
