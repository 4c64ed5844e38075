/** Options of a field by value, indexed, since a field may have 2,000 and a record all of them. */
import type { Field } from '../api/workspace.ts';

type Options = NonNullable<Field['options']>;

const places = new WeakMap<Options, ReadonlyMap<string, number>>();

/** The index of the option with this value; -1 if it no longer exists. */
export function optionAt({ options }: Pick<Field, 'options'>, value: string): number {
  if (!options) return -1;
  const known = places.get(options) ?? new Map(options.map((option, at) => [option.value, at]));
  places.set(options, known);
  return known.get(value) ?? -1;
}

/** The option's label; its value if it no longer exists. */
export function optionLabel(field: Pick<Field, 'options'>, value: string): string {
  return field.options?.[optionAt(field, value)]?.label ?? value;
}
