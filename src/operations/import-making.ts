/** What an import makes before its rows come in: fields for columns that have none, and options that fields lack. */
import type { Call } from '../access/call.ts';
import { takesOptions } from '../fields/abilities.ts';
import type { FieldTypeName, Option } from '../fields/field-def.ts';
import { applyManifest, usualLockMs } from '../manifest/apply.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Analysis } from '../records/import/analysis.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { labelsToAdd } from '../records/import/mapping/missing-options.ts';
import { labelsOf, optionsOf } from '../records/import/mapping/new-options.ts';
import type { ReadyImport } from './import-running.ts';

type Wanted = Pick<ReadyImport, 'toMake' | 'missing'>;

/** What was made, or is to be. */
export interface Made {
  readonly fields: readonly string[];
  /** The labels of options, by field. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** What is to be made so that the import can be carried out as it was asked for. */
export function toBeMade(analysis: Analysis, wanted: Wanted): Made {
  const options = [...optionsToMake(analysis, wanted)].map(
    ([name, made]) => [name, made.map(({ label }) => label)] as const,
  );
  return { fields: wanted.toMake.map(nameOf), options: Object.fromEntries(options) };
}

/** Whether there is nothing to make. */
export function isNothing({ fields, options }: Made): boolean {
  return fields.length === 0 && Object.keys(options).length === 0;
}

/** Makes the fields and adds the options, in one change of the workspace. Throws as a manifest does. */
export async function make(call: Call, object: ObjectDef, analysis: Analysis, wanted: Wanted): Promise<void> {
  const options = optionsToMake(analysis, wanted);
  const optionsOut = (name: string, there: readonly Option[] = []) =>
    [...there, ...(options.get(name) ?? [])].map((option) => ({ ...option }));
  const fields = [
    ...wanted.toMake.map((entry) => ({
      ...newField(entry),
      ...(options.has(nameOf(entry)) && { options: optionsOut(nameOf(entry)) }),
    })),
    ...[...labelsToAdd(wanted.missing).keys()].map((field) => ({
      name: field.name,
      options: optionsOut(field.name, field.options ?? []),
    })),
  ];
  const manifest = { objects: [{ name: object.name, fields }] };
  await applyManifest(call, manifest, { toDestroy: false, lockMs: usualLockMs });
}

/** The options that are not there yet, by the name of the field that takes them. */
function optionsToMake(analysis: Analysis, { toMake, missing }: Wanted): ReadonlyMap<string, readonly Option[]> {
  const ofNew = toMake
    .filter((entry) => takesOptions({ type: typeOf(entry) }))
    .map((entry) => [nameOf(entry), optionsOf(givenLabels(analysis, entry))] as const);
  const added = [...labelsToAdd(missing)].map(
    ([{ name, options }, labels]) => [name, optionsOf(labels, options ?? [])] as const,
  );
  return new Map([...ofNew, ...added]);
}

function nameOf({ new_field_name: name = '' }: MappingEntry): string {
  return name;
}

/** Fields that are to be made have been checked. */
function typeOf({ new_field_type: type = 'TEXT' }: MappingEntry): FieldTypeName {
  return type as FieldTypeName;
}

function newField(entry: MappingEntry) {
  const { new_field_label: label = entry.column, new_field_unique: isUnique } = entry;
  return { name: nameOf(entry), label, type: typeOf(entry), ...(isUnique === true && { isUnique }) };
}

/** The labels that were said, or those that the column has. */
function givenLabels({ profiles }: Analysis, entry: MappingEntry): readonly string[] {
  const profile = profiles.find(({ column }) => column === entry.column);
  return entry.enum_options ?? (profile ? labelsOf(profile, typeOf(entry)) : []);
}
