/** Creates options from the values in cells. */
import type { FieldDef, Option } from '../../../fields/field-def.ts';
import { fold } from '../../../fields/option-named.ts';
import { labelsIn } from '../guessing/option-labels.ts';
import type { ColumnProfile } from '../guessing/profile.ts';

/** The labels for a new field with options, from the values of its column. */
export function labelsOf({ values = [], options = [] }: ColumnProfile, type: FieldDef['type']): readonly string[] {
  const labels = values.flatMap(([text]) => labelsIn(text, { type, options: null }));
  return labels.length === 0 ? options : [...new Set(labels)];
}

/**
 * New options with these labels, besides the existing ones. Labels that differ only in case are the same; a value
 * already used otherwise gets a number.
 */
export function optionsOf(labels: readonly string[], there: readonly Option[] = []): Option[] {
  const fresh = new Map<string, string>();
  for (const label of labels) {
    const folded = fold(label);
    if (!fresh.has(folded)) fresh.set(folded, label);
  }
  // A cell names an option by value or label, so no value may equal another's label.
  const taken = new Set(there.flatMap(({ value, label }) => [fold(value), fold(label)]));
  return [...fresh].map(([folded, label]) => {
    const slug = slugOf(label);
    let value = slug;
    for (let number = 2; taken.has(value) || (value !== folded && fresh.has(value)); number++)
      value = `${slug}_${number}`;
    taken.add(value);
    return { value, label };
  });
}

/** The value of an option, made from its label. */
function slugOf(label: string): string {
  const words = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return words === '' ? 'other' : words.slice(0, 60);
}
