/** Merges a manifest's field into the stored one. Absent keys stay as they are. */
import {
  defaultAsValue,
  isComputed,
  mayBeRequired,
  mayBeSearchable,
  mayBeUnique,
  relationTypesOf,
  takesOptions,
} from '../fields/abilities.ts';
import type { Option, RelationConfig, Rollup } from '../fields/field-def.ts';
import type { FieldDefinition, StoredField } from '../model/definition.ts';
import type { FieldEntry, JunctionEntry } from './manifest.ts';
import { canonicalField, idOf } from './draft.ts';
import { labelFor } from './names.ts';
import type { Problems } from './problems.ts';
import { renamesAmong, underNewNames } from './renames.ts';
import { below } from './shape.ts';

/** The new definition; undefined, with a problem, if a new field has no type. */
export function mergeField(
  entry: FieldEntry | JunctionEntry,
  stored: StoredField | undefined,
  places: Map<string, string>,
  problems: Problems,
): StoredField | undefined {
  const was = stored?.definition;
  const type = entry.type ?? was?.type;
  if (type === undefined) {
    problems.add(below(entry.place, 'type'), 'is required: the field is new');
    return undefined;
  }
  const id = idOf(entry, stored, places);
  const kept: Partial<FieldDefinition> = was === undefined || was.type === type ? { ...was } : survivors(was, type);
  const definition: FieldDefinition = {
    ...kept,
    ...given(entry),
    ...('relationConfig' in entry &&
      entry.relationConfig && { relationConfig: relationOf(entry.relationConfig, type) }),
    ...('junctionFields' in entry &&
      entry.junctionFields && {
        junctionFields: mergeJunction(entry.junctionFields, was?.junctionFields ?? [], places, problems),
      }),
    label: entry.label ?? was?.label ?? labelFor(entry.name),
    type,
  };
  return { id, name: entry.name, definition: canonicalField(completed(definition)) };
}

/** The keys that survive a change of type. */
function survivors(was: FieldDefinition, type: FieldDefinition['type']): Partial<FieldDefinition> {
  const { label, isRequired, isHidden, isSearchable, isUnique, options, relationConfig } = was;
  const relates = relationConfig !== undefined && relationTypesOf({ type }).includes(relationConfig.relationType);
  const declared = { type, ...(relates && { relationConfig }) };
  return {
    label,
    ...declared,
    ...(isRequired && mayBeRequired(declared) && { isRequired }),
    ...(isHidden && { isHidden }),
    ...(isSearchable && mayBeSearchable(declared) && { isSearchable }),
    ...(isUnique && mayBeUnique(declared) && { isUnique }),
    ...(options && takesOptions(declared) && { options }),
  };
}

/** The keys that are copied as written; null removes a key. */
function given(entry: FieldEntry | JunctionEntry): Partial<FieldDefinition> {
  const {
    place: _place,
    name: _name,
    renamedFrom: _from,
    absent: _absent,
    label: _label,
    type: _type,
    ...keys
  } = entry;
  const {
    options,
    relationConfig: _relation,
    junctionFields: _junction,
    calculation,
    rollup,
    ...rest
  } = keys as Omit<FieldEntry, 'place' | 'name'>;
  return {
    ...rest,
    ...(options !== undefined && { options: options?.map(optionOf) ?? null }),
    ...(calculation && { calculation: { expression: calculation.expression, outputType: calculation.outputType } }),
    ...(rollup && { rollup: rollupOf(rollup) }),
  } as Partial<FieldDefinition>;
}

function optionOf({ value, label, color }: { value: string; label?: string; color?: string | null }): Option {
  return { value, label: label ?? labelFor(value), ...(typeof color === 'string' && { color }) };
}

function rollupOf({ objectName, relationField, function: name, field }: NonNullable<FieldEntry['rollup']>): Rollup {
  return { objectName, relationField, function: name, ...(typeof field === 'string' && { field }) };
}

/** The relation type may be omitted if the field type has only one. Missing values are left empty for the checks to find. */
function relationOf(config: NonNullable<FieldEntry['relationConfig']>, type: FieldDefinition['type']): RelationConfig {
  const { place: _, relationType, targetObjectName, ...rest } = config;
  const [usual = 'BELONGS_TO_ONE'] = relationTypesOf({ type });
  return {
    relationType: relationType ?? usual,
    targetObjectName: targetObjectName ?? config.targetObjectNames?.[0] ?? '',
    ...rest,
  };
}

function completed(definition: FieldDefinition): FieldDefinition {
  const { type, relationConfig, defaultValue } = definition;
  const declared = { type, ...(relationConfig && { relationConfig }) };
  return {
    ...definition,
    ...(defaultValue !== undefined && { defaultValue: defaultAsValue(defaultValue, declared) }),
    ...(isComputed(declared) && { isReadonly: true }),
  };
}

function mergeJunction(
  entries: readonly JunctionEntry[],
  stored: readonly StoredField[],
  places: Map<string, string>,
  problems: Problems,
): readonly StoredField[] {
  const renamed = underNewNames(stored, renamesAmong(entries, stored, problems));
  return mergeNamed(entries, renamed, (entry, field) => mergeField(entry, field, places, problems));
}

/** Merges `entries` by name into `stored`: existing ones keep their order, absent ones are removed, new ones are appended. */
export function mergeNamed<
  Entry extends { readonly name: string; readonly absent?: boolean },
  T extends { readonly name: string },
>(
  entries: readonly Entry[],
  stored: readonly T[],
  merge: (entry: Entry, stored: T | undefined) => T | undefined,
): readonly T[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const kept = stored.flatMap((item) => {
    const entry = byName.get(item.name);
    if (!entry) return [item];
    if (entry.absent) return [];
    return merge(entry, item) ?? [];
  });
  const known = new Set(stored.map((item) => item.name));
  const fresh = entries.filter((entry) => !known.has(entry.name) && !entry.absent);
  return [...kept, ...fresh.flatMap((entry) => merge(entry, undefined) ?? [])];
}
