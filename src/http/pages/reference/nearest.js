/** Suggests operations with similar names. */

/** The three operations whose names share the most letter pairs with `name`. */
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
