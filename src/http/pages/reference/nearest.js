/** Which operations somebody may have meant. */

/** The three operations of which the names have the most pairs of letters in common with `name`. */
export function nearest(name, operations) {
  const pairs = (text) => new Set([...text.slice(1)].map((letter, at) => (text[at] + letter).toLowerCase()));
  const wanted = pairs(name);
  const likeness = ({ id }) => {
    const own = pairs(id);
    return [...own].filter((pair) => wanted.has(pair)).length / (own.size + wanted.size);
  };
  return operations
    .map((operation) => ({ operation, like: likeness(operation) }))
    .toSorted((a, b) => b.like - a.like)
    .slice(0, 3)
    .map(({ operation }) => operation);
}
