/**
 * The order of links. A position is a number between those of its neighbours and stays while others are added,
 * removed or moved; so a change writes only the links that it moves, and a past position does not depend on the
 * others.
 */

/** Initial distance between positions: the gap between two neighbours can be halved sixteen times. */
const spacing = 65_536;
/** The largest number that the column holds. */
export const farthestPosition = 2_147_483_647;

export interface Placement {
  /** Changed positions: of new and moved links, or of all links where two neighbours left no room. */
  readonly positions: ReadonlyMap<string, number>;
  /** Links that changed their order relative to those that stay: the fewest that explain the new order. */
  readonly moved: readonly string[];
}

/** The position of the link at index `at` of a new list. */
export function firstPosition(at: number): number {
  return at * spacing;
}

/** Positions that put the links at `stored` positions into the order of `wanted`. */
export function orderLinks(stored: ReadonlyMap<string, number>, wanted: readonly string[]): Placement {
  const staying = longestRising(
    wanted.filter((id) => stored.has(id)),
    ranksOf(stored),
  );
  const moved = wanted.filter((id) => stored.has(id) && !staying.has(id));
  const between = placedBetween(stored, wanted, staying);
  return { positions: between ?? new Map(wanted.map((id, at) => [id, firstPosition(at)])), moved };
}

/** Links with equal positions are in id order. */
function ranksOf(stored: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const inOrder = [...stored].toSorted(([a, at], [b, other]) => at - other || (a < b ? -1 : 1));
  return new Map(inOrder.map(([id], rank) => [id, rank]));
}

/** Positions for the new and moved links, between their neighbours that stay; undefined where there is no room. */
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

/** A longest subsequence of `ids` with rising ranks (patience sorting). */
function longestRising(ids: readonly string[], ranks: ReadonlyMap<string, number>): ReadonlySet<string> {
  /** For each length, the subsequence end with the lowest rank; and the predecessor of each id. */
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

/** Positions for `count` links behind position `last`, or for a new list; undefined where there is no room. */
export function positionsBehind(last: number | undefined, count: number): readonly number[] | undefined {
  const positions = Array.from({ length: count }, (_, index) => positionOf(index, count, last) ?? Infinity);
  return positions.every(Number.isFinite) ? positions : undefined;
}
