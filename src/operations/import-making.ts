/** What an import makes before its rows come in: fields for columns that have none, and options that fields lack. */
import type { Call } from '../access/call.ts';
import type { JsonObject } from '../lib/json.ts';
import { applyManifest, usualLockMs } from '../manifest/apply.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Analysis } from '../records/import/analysis.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { labelsOf, labelsToAdd, optionsOf, type MissingOptions } from '../records/import/mapping/missing-options.ts';
import type { ReadyImport } from './import-running.ts';

/** What was made, or is to be. */
export interface Made {
  readonly fields: readonly string[];
  /** The labels of options, by field. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** What is to be made so that the import can be carried out as it was asked for. */
export function toBeMade(analysis: Analysis, { toMake, missing }: Pick<ReadyImport, 'toMake' | 'missing'>): Made {
  const ofNew = toMake
    .filter(hasOptions)
    .map((entry) => [nameOf(entry), optionsOf(givenLabels(analysis, entry)).map(({ label }) => label)] as const);
  const added = [...labelsToAdd(missing)].map(([{ name }, labels]) => [name, addedLabels(labels)] as const);
  return { fields: toMake.map(nameOf), options: Object.fromEntries([...ofNew, ...added]) };
}

/** Whether there is nothing to make. */
export function isNothing({ fields, options }: Made): boolean {
  return fields.length === 0 && Object.keys(options).length === 0;
}

/** Makes the fields and adds the options, in one change of the workspace. Throws as a manifest does. */
export async function make(
  call: Call,
  object: ObjectDef,
  analysis: Analysis,
  { toMake, missing }: Pick<ReadyImport, 'toMake' | 'missing'>,
): Promise<void> {
  const fields = [...toMake.map((entry) => newField(analysis, entry)), ...withMoreOptions(missing)];
  const manifest = { objects: [{ name: object.name, fields }] };
  await applyManifest(call, manifest, { toDestroy: false, lockMs: usualLockMs });
}

function nameOf({ new_field_name: name = '' }: MappingEntry): string {
  return name;
}

function newField(analysis: Analysis, entry: MappingEntry): JsonObject {
  const { new_field_label: label = entry.column, new_field_type: type = 'TEXT', new_field_unique: isUnique } = entry;
  return {
    name: nameOf(entry),
    label,
    type,
    ...(isUnique === true && { isUnique }),
    ...(hasOptions(entry) && { options: optionsOf(givenLabels(analysis, entry)).map((option) => ({ ...option })) }),
  };
}

function withMoreOptions(missing: readonly MissingOptions[]): JsonObject[] {
  return [...labelsToAdd(missing)].map(([{ name, options }, labels]) => ({
    name,
    options: optionsOf(labels, options ?? []).map((option) => ({ ...option })),
  }));
}

function addedLabels(labels: readonly string[]): string[] {
  return optionsOf(labels).map(({ label }) => label);
}

function hasOptions({ new_field_type: type }: MappingEntry): boolean {
  return type === 'SELECT' || type === 'MULTI_SELECT';
}

/** The labels that were said, or those that the column has. */
function givenLabels({ profiles }: Analysis, entry: MappingEntry): readonly string[] {
  const profile = profiles.find(({ column }) => column === entry.column);
  return entry.enum_options ?? (profile ? labelsOf(profile, entry.new_field_type) : []);
}
