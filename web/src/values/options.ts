/** The options of a field by their values: it may have 2,000, and a record all of them. */
import type { Field } from '../api/workspace.ts';

type Options = NonNullable<Field['options']>;

const places = new WeakMap<Options, ReadonlyMap<string, number>>();

/** Where the option with this value stands; -1 where it is none any more. */
export function optionAt({ options }: Pick<Field, 'options'>, value: string): number {
  if (!options) return -1;
  const known = places.get(options) ?? new Map(options.map((option, at) => [option.value, at]));
  places.set(options, known);
  return known.get(value) ?? -1;
}

/** What it is called; one that is none any more by its value. */
export function optionLabel(field: Pick<Field, 'options'>, value: string): string {
  return field.options?.[optionAt(field, value)]?.label ?? value;
}
