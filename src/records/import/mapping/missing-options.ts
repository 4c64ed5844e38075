/** Options that the cells of a file name and their fields have not, and fields that have them as well. */
import type { FieldDef, Option } from '../../../fields/field-def.ts';
import { FieldProblem } from '../../../fields/field-problem.ts';
import { optionIn } from '../../../fields/option-named.ts';
import { fieldType } from '../../../fields/registry.ts';
import { labelProblem } from '../../../lib/label.ts';
import type { ObjectDef } from '../../../model/model.ts';
import type { Analysis } from '../analysis.ts';
import type { ColumnProfile } from '../guessing/profile.ts';
import type { Source } from '../sources/source.ts';
import { pathOf, type ColumnPlan } from './entry.ts';

/** An option that is missing, and the rows of the file that name it. */
export interface MissingOption {
  readonly label: string;
  readonly rows: number;
}

/** Those of one column. */
export interface MissingOptions {
  readonly column: string;
  readonly field: FieldDef;
  readonly options: readonly MissingOption[];
  /** Whether they are to be added. */
  readonly adds: boolean;
}

/** Characters of a cell that may be the label of an option. */
const longestLabel = 100;

/** What the columns name that go to fields with options, the most frequent first; columns that lack none are left out. */
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

/** Labels that are equal but for case are one, as they are for a cell. */
function missingIn({ values = [] }: ColumnProfile, plan: ColumnPlan, source: Source | undefined): MissingOption[] {
  const { field } = plan.target;
  if (!hasOptions(field)) return [];
  const found = new Map<string, { label: string; rows: number }>();
  for (const [text, rows] of values) {
    const cleaned = source?.clean?.(pathOf(plan), text) ?? text;
    for (const label of labelsIn(cleaned, field)) {
      if (optionIn(label, field.options ?? [])) continue;
      const one = found.get(label.toLowerCase()) ?? { label, rows: 0 };
      one.rows += rows;
      found.set(label.toLowerCase(), one);
    }
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}

/** The labels that a new field of options takes from the values of its column. */
export function labelsOf({ values = [], options = [] }: ColumnProfile, type: string | undefined): readonly string[] {
  const parts = type === 'MULTI_SELECT' ? values.flatMap(([text]) => text.split(';')) : values.map(([text]) => text);
  const labels = parts.map((part) => part.trim()).filter((part) => isLabel(part));
  return labels.length === 0 ? options : [...new Set(labels)];
}

function isLabel(label: unknown): label is string {
  const isShort = typeof label === 'string' && label !== '' && label.length <= longestLabel;
  return isShort && labelProblem(label) === undefined;
}

/** What of a cell can be the label of an option. */
function labelsIn(text: string, field: FieldDef): string[] {
  try {
    const value = fieldType(field.type).fromCell(text.trim(), field);
    const labels = Array.isArray(value) ? value : [value];
    return [...new Set(labels.filter((label) => isLabel(label)))];
  } catch (error) {
    if (error instanceof FieldProblem) return [];
    throw error;
  }
}

/** Whether the field takes some of its options. */
function hasOptions({ type }: Pick<FieldDef, 'type'>): boolean {
  return type === 'SELECT' || type === 'MULTI_SELECT';
}

/** Options of these labels, behind those that are there. Labels that are equal but for case are one; a value that means something else gets a number. */
export function optionsOf(labels: readonly string[], there: readonly Option[] = []): Option[] {
  const fresh = new Map<string, string>();
  for (const label of labels) {
    const folded = label.trim().toLowerCase();
    if (!fresh.has(folded)) fresh.set(folded, label);
  }
  // A cell means an option by its value or its label: no value is what another one is called.
  const taken = new Set(there.flatMap(({ value, label }) => [value.toLowerCase(), label.trim().toLowerCase()]));
  const made = [...fresh].map(([folded, label]) => {
    const slug = slugOf(label);
    let value = slug;
    for (let number = 2; taken.has(value) || (value !== folded && fresh.has(value)); number++)
      value = `${slug}_${number}`;
    taken.add(value);
    return { value, label };
  });
  return [...there, ...made];
}

/** The value of an option that is made of its label. */
function slugOf(label: string): string {
  const words = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return words === '' ? 'other' : words.slice(0, 60);
}

/** The labels that are to be added, by field: several columns may go to one. */
export function labelsToAdd(missing: readonly MissingOptions[]): ReadonlyMap<FieldDef, readonly string[]> {
  const labels = new Map<FieldDef, string[]>();
  for (const { field, options, adds } of missing) {
    if (!adds) continue;
    labels.set(field, [...(labels.get(field) ?? []), ...options.map(({ label }) => label)]);
  }
  return labels;
}

/** The object as it will be when the options are added. */
export function withOptions(object: ObjectDef, missing: readonly MissingOptions[]): ObjectDef {
  const labels = labelsToAdd(missing);
  if (labels.size === 0) return object;
  const changed = (field: FieldDef): FieldDef => {
    const more = [...labels].find(([one]) => one.id === field.id)?.[1];
    return more ? { ...field, options: optionsOf(more, field.options ?? []) } : field;
  };
  const fields = new Map([...object.fields, ...object.attributes.values()].map((field) => [field, changed(field)]));
  return {
    ...object,
    fields: object.fields.map((field) => fields.get(field) ?? field),
    attributes: new Map([...object.attributes].map(([name, field]) => [name, fields.get(field) ?? field])),
  };
}
