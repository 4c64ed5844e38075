/** Seeded choices, so that a failing run can be had again. */
export interface Random {
  /** From 0 to below 1. */
  fraction(): number;
  /** From 0 to below `count`. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, at most `most`, each once. */
  some<T>(items: readonly T[], most: number): T[];
}

/** The generator known as mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return randomOver(() => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  });
}

/** The same choices, which are noted in `choices` as they are made. */
export function noting({ fraction }: Random, choices: number[]): Random {
  return randomOver(() => {
    const choice = fraction();
    choices.push(choice);
    return choice;
  });
}

/** Makes these choices again; behind the last one it chooses what comes first. */
export function repeating(choices: readonly number[]): Random {
  let next = 0;
  return randomOver(() => choices[next++] ?? 0);
}

function randomOver(fraction: () => number): Random {
  const below = (count: number) => Math.floor(fraction() * count);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    some(items, most) {
      const rest = [...items];
      const count = below(Math.min(most, rest.length) + 1);
      return Array.from({ length: count }, () => rest.splice(below(rest.length), 1)).flat();
    },
  };
}
