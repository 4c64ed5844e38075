/** Finds the option that a text names. */
import { quoted } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Option } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';

/** The option by value, else by label, else by either in any case. Throws FieldProblem with the possible values. */
export function optionNamed(text: string, options: readonly Option[]): Option {
  const { exact, values } = namesOf(options);
  const found = optionIn(text, options);
  if (found) return found;
  throw new FieldProblem(`must be one of its options, not ${quoted(text)}${didYouMean(text, exact.keys())}`, values);
}

/** As `optionNamed`; undefined where there is none. */
export function optionIn(text: string, options: readonly Option[]): Option | undefined {
  const { exact, folded } = namesOf(options);
  return exact.get(text) ?? folded.get(fold(text));
}

interface Names {
  readonly exact: ReadonlyMap<string, Option>;
  readonly folded: ReadonlyMap<string, Option>;
  readonly values: readonly string[];
}

const known = new WeakMap<readonly Option[], Names>();

/** Built once per field: tens of thousands of values may be looked up in thousands of options. */
function namesOf(options: readonly Option[]): Names {
  let names = known.get(options);
  if (!names) known.set(options, (names = makeNames(options)));
  return names;
}

function makeNames(options: readonly Option[]): Names {
  const exact = new Map<string, Option>();
  const folded = new Map<string, Option>();
  const keepFirst = (map: Map<string, Option>, name: string, option: Option) => {
    if (!map.has(name)) map.set(name, option);
  };
  for (const key of ['value', 'label'] as const) {
    for (const option of options) {
      keepFirst(exact, option[key], option);
      keepFirst(folded, fold(option[key]), option);
    }
  }
  return { exact, folded, values: options.map(({ value }) => value) };
}

/** Normalises case and surrounding white space, to compare names. */
export function fold(name: string): string {
  return name.trim().toLowerCase();
}
