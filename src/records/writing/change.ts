/** The change of one record. */
import type { Decoded } from './decode.ts';

export interface Change extends Decoded {
  readonly id: string;
}

/** Groups changes that set the same fields; each group is one statement. */
export function withSameFields(changes: readonly Change[]): readonly (readonly Change[])[] {
  const fieldsOf = ({ cells, links, byStep }: Change) =>
    [...cells.keys(), ...links.keys()]
      .map((field) => (byStep.has(field) ? `${field.id}!` : field.id))
      .toSorted()
      .join(' ');
  return [...Map.groupBy(changes, fieldsOf).values()];
}
