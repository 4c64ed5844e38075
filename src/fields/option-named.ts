/** The option that a text means. */
import { quoted } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Option } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';

/** By value, else by label, else by either in any case. Throws FieldProblem with the values there are. */
export function optionNamed(text: string, options: readonly Option[]): Option {
  const exact = options.find((option) => option.value === text) ?? options.find((option) => option.label === text);
  if (exact) return exact;
  const wanted = text.trim().toLowerCase();
  const alike = (name: string): boolean => name.trim().toLowerCase() === wanted;
  const near = options.find((option) => alike(option.value)) ?? options.find((option) => alike(option.label));
  if (near) return near;
  const hint = didYouMean(
    text,
    options.flatMap(({ value, label }) => [value, label]),
  );
  throw new FieldProblem(
    `must be one of its options, not ${quoted(text)}${hint}`,
    options.map((option) => option.value),
  );
}
