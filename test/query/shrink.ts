/** Of a case that fails a small one that fails as well: fewer things in the world, fewer and simpler choices of the question. */

/** A question to a world, apart from the seed that made the world. */
export interface Case {
  /** Which things of the world there are, by their position. */
  readonly things: readonly number[];
  /** What the question was drawn from, 0 to below 1. */
  readonly choices: readonly number[];
}

/** So often the case is played again: each play may make a world. */
const mostPlays = 300;

/** `fails` plays a case, and says whether it fails in the same way. */
export async function shrunk(found: Case, fails: (smaller: Case) => Promise<boolean>): Promise<Case> {
  let plays = 0;
  const stillFails = async (smaller: Case) => plays++ < mostPlays && fails(smaller);
  // A play of fewer things has to make their world; other choices are played in the one that is there.
  const { choices: before } = found;
  const things = await fewest(found.things, (some) => stillFails({ things: some, choices: before }));
  const some = await fewest(before, (choices) => stillFails({ things, choices }));
  const choices = await simplest(some, (simpler) => stillFails({ things, choices: simpler }));
  return { things: await fewest(things, (fewer) => stillFails({ things: fewer, choices })), choices };
}

/** Leaves out half, then quarters, and so on down to single ones, as long as what is left fails. */
async function fewest<T>(all: readonly T[], fails: (some: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let left = all;
  for (let size = Math.ceil(all.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length;) {
      const without = left.toSpliced(at, size);
      if (await fails(without)) left = without;
      else at += size;
    }
  }
  return left;
}

/** Makes each choice the first of those that there were, where that fails, too. */
async function simplest(
  all: readonly number[],
  fails: (simpler: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let left = all;
  for (const [at, choice] of all.entries()) {
    const simpler = left.with(at, 0);
    if (choice !== 0 && (await fails(simpler))) left = simpler;
  }
  return left;
}
