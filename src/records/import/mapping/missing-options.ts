/** Options named in the cells of a file that their fields lack. */
import { takesOptions } from '../../../fields/abilities.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import { fold, optionIn } from '../../../fields/option-named.ts';
import type { Analysis } from '../analysis.ts';
import { labelsIn } from '../guessing/option-labels.ts';
import type { ColumnProfile } from '../guessing/profile.ts';
import type { Source } from '../sources/source.ts';
import { pathOf, type ColumnPlan } from './entry.ts';

/** A missing option, and the number of rows that name it. */
export interface MissingOption {
  readonly label: string;
  readonly rows: number;
}

/** The missing options of one column. */
export interface MissingOptions {
  readonly column: string;
  readonly field: FieldDef;
  readonly options: readonly MissingOption[];
  /** Whether they are to be added. */
  readonly adds: boolean;
}

/** The missing options of columns mapped to fields with options, most frequent first; other columns are left out. */
export function missingOptions(
  { profiles }: Pick<Analysis, 'profiles'>,
  plans: readonly ColumnPlan[],
  source: Source | undefined,
  addsAll = false,
): MissingOptions[] {
  const known = new Map(profiles.map((profile) => [profile.column, profile]));
  return plans.flatMap((plan): MissingOptions[] => {
    const profile = known.get(plan.column);
    const options = profile ? missingIn(profile, plan, source) : [];
    const adds = addsAll || plan.addsOptions === true;
    return options.length === 0 ? [] : [{ column: plan.column, field: plan.target.field, options, adds }];
  });
}

/** Labels that differ only in case are the same, as in cells. */
function missingIn({ values = [] }: ColumnProfile, plan: ColumnPlan, source: Source | undefined): MissingOption[] {
  const { field } = plan.target;
  if (!takesOptions(field)) return [];
  const found = new Map<string, { label: string; rows: number }>();
  for (const [text, rows] of values) {
    const cleaned = source?.clean?.(pathOf(plan), text) ?? text;
    for (const label of labelsIn(cleaned, field)) {
      if (optionIn(label, field.options ?? [])) continue;
      const one = found.get(fold(label)) ?? { label, rows: 0 };
      one.rows += rows;
      found.set(fold(label), one);
    }
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}

/** The labels to add, by field: several columns may be mapped to one. */
export function labelsToAdd(missing: readonly MissingOptions[]): ReadonlyMap<FieldDef, readonly string[]> {
  const labels = new Map<FieldDef, string[]>();
  for (const { field, options, adds } of missing) {
    if (!adds) continue;
    labels.set(field, [...(labels.get(field) ?? []), ...options.map(({ label }) => label)]);
  }
  return labels;
}
