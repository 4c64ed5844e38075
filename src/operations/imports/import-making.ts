/** Creates the fields and options that an import needs before its rows. */
import type { Call } from '../../access/call.ts';
import { takesOptions } from '../../fields/abilities.ts';
import type { FieldDef, FieldTypeName, Option } from '../../fields/field-def.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { applyManifest, modelAfter, defaultLockMs } from '../../manifest/apply.ts';
import { objectWithId, type ObjectDef } from '../../model/model.ts';
import type { Analysis } from '../../records/import/analysis.ts';
import type { MappingEntry } from '../../records/import/mapping/entry.ts';
import { labelsToAdd } from '../../records/import/mapping/missing-options.ts';
import { labelsOf, optionsOf } from '../../records/import/mapping/new-options.ts';
import type { Choice } from '../../records/import/jobs/states.ts';
import { FieldsToCome } from '../../records/import/executing/fields-to-come.ts';
import type { Prepared } from '../../records/import/executing/carry-out.ts';
import { preparedFor, type ReadyImport } from './import-running.ts';

type Wanted = Pick<ReadyImport, 'toMake' | 'missing'>;

/** What was created, or is to be. */
export interface Made {
  readonly fields: readonly string[];
  /** Labels of options, by field. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** The fields and options that the import needs. */
export function toBeMade(analysis: Analysis, wanted: Wanted): Made {
  const options = [...optionsToMake(analysis, wanted)].map(
    ([name, made]) => [name, made.map(({ label }) => label)] as const,
  );
  return { fields: wanted.toMake.map(nameOf), options: Object.fromEntries(options) };
}

/** Whether there is nothing to create. */
export function isNothing({ fields, options }: Made): boolean {
  return fields.length === 0 && Object.keys(options).length === 0;
}

/** Creates the fields and options in one change of the workspace. Throws as a manifest does. */
export async function make(call: Call, object: ObjectDef, analysis: Analysis, wanted: Wanted): Promise<void> {
  const manifest = manifestOf(object, analysis, wanted);
  await applyManifest(call, manifest, { toDestroy: false, lockMs: defaultLockMs });
}

/** Prepares a dry run of the rows, as if the fields and options existed. Throws as `make` does. */
export async function preparedToTry(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  analysis: Analysis,
  choice: Choice,
  ready: ReadyImport,
): Promise<Prepared> {
  if (isNothing(toBeMade(analysis, ready))) return ready.prepared;
  const after = await modelAfter(call, tx, manifestOf(object, analysis, ready));
  const { stored, toCome } = afterMaking(object, objectWithId(after, object.id) ?? object, ready, choice);
  return preparedFor(call, stored, analysis, choice, toCome).prepared;
}

/** The object with the options to be added, and the fields to be created. */
function afterMaking(before: ObjectDef, after: ObjectDef, { missing }: ReadyImport, { options }: Choice) {
  const changed = new Set([...labelsToAdd(missing).keys()].map(({ name }) => name));
  const known = new Map([...before.fields, ...before.attributes.values()].map((field) => [field.name, field]));
  // Unchanged fields keep their identity, by which they are looked up.
  const same = (field: FieldDef) => (changed.has(field.name) ? field : (known.get(field.name) ?? field));
  const fields = after.fields.map(same);
  const attributes = [...after.attributes.values()].map(same);
  const isThere = ({ name }: FieldDef) => known.has(name);
  const withFields = (some: readonly FieldDef[], named: readonly FieldDef[]): ObjectDef => ({
    ...before,
    fields: some,
    attributes: new Map(named.map((field) => [field.name, field])),
  });
  const fresh = fields.filter((field) => !isThere(field));
  return {
    stored: withFields(fields.filter(isThere), attributes.filter(isThere)),
    toCome: new FieldsToCome(withFields(fields, attributes), fresh, options.duplicate_fields),
  };
}

function manifestOf(object: ObjectDef, analysis: Analysis, wanted: Wanted) {
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
  return { objects: [{ name: object.name, fields }] };
}

/** The options to create, by the name of their field. */
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

/** The type of a field to create, which has been validated. */
function typeOf({ new_field_type: type = 'TEXT' }: MappingEntry): FieldTypeName {
  return type as FieldTypeName;
}

function newField(entry: MappingEntry) {
  const { new_field_label: label = entry.column, new_field_unique: isUnique } = entry;
  return { name: nameOf(entry), label, type: typeOf(entry), ...(isUnique === true && { isUnique }) };
}

/** The labels that the request specifies, or else those in the column. */
function givenLabels({ profiles }: Analysis, entry: MappingEntry): readonly string[] {
  const profile = profiles.find(({ column }) => column === entry.column);
  return entry.enum_options ?? (profile ? labelsOf(profile, typeOf(entry)) : []);
}
