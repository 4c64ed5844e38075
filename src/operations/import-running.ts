/** What the operations on imports have in common: the object, the mapping that counts, and how an import is told. */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { JsonObject } from '../lib/json.ts';
import { hasRecords, objectWithId, type ObjectDef } from '../model/model.ts';
import type { Analysis } from '../records/import/analysis.ts';
import { prepare, type Prepared } from '../records/import/executing/carry-out.ts';
import { settledOf } from '../records/import/jobs/outcomes.ts';
import type { Choice, Outcome } from '../records/import/jobs/states.ts';
import { rowsKeptMs, type StoredImport } from '../records/import/jobs/table.ts';
import { effectiveMapping, newFieldsOf, plansOf } from '../records/import/mapping/effective.ts';
import type { ColumnPlan, MappingEntry } from '../records/import/mapping/entry.ts';
import { sourceNamed } from '../records/import/sources/sources.ts';
import { objectNamed } from '../records/reading/named.ts';
import { writable } from '../records/writing/decode.ts';

/** The object of that name, into which the caller may bring records. Throws INVALID_OBJECT, PERMISSION_DENIED. */
export function importObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name, hasRecords);
  if (!call.visibility.mayCreate(object.name)) throw errors.permissionDenied(`Your role may not create ${object.name}`);
  return object;
}

/** The object of an import, as it is called now. Throws CONFLICT where it is gone. */
export function objectOf(call: Call, { objectId }: Pick<StoredImport, 'objectId'>): ObjectDef {
  const object = objectWithId(call.model, objectId);
  if (!object || !hasRecords(object)) throw errors.conflict('The object of this import is not there any more');
  return importObject(call, object.name);
}

/** The fields that an import can set. */
export function fieldsToImport(call: Call, object: ObjectDef): ReadonlyMap<string, FieldDef> {
  return writable(object, call.visibility);
}

/** What was asked for, with the mapping that counts. Throws VALIDATION_ERROR. */
export function choiceOf(
  call: Call,
  object: ObjectDef,
  { analysis, choice }: StoredImport,
  given: { readonly mapping?: readonly MappingEntry[]; readonly import_options?: Choice['options'] },
): Choice {
  const fields = fieldsToImport(call, object);
  const options = given.import_options ?? choice?.options ?? {};
  // What a preview was asked with counts until something else is said.
  if (given.mapping === undefined && choice) return { mapping: choice.mapping, said: choice.said ?? [], options };
  return { ...mappingOf(analysis, given.mapping ?? [], fields), options };
}

/** The mapping that counts, and which of its columns somebody has said. Throws VALIDATION_ERROR. */
export function mappingOf(
  analysis: Analysis,
  given: readonly MappingEntry[],
  fields: ReadonlyMap<string, FieldDef>,
): Pick<Choice, 'mapping' | 'said'> {
  return { mapping: effectiveMapping(analysis, given, fields), said: given.map(({ column }) => column.trim()) };
}

/** The call of what a file brings: history tells the file where it tells an agent. */
export function callOfFile(call: Call, { fileName }: Analysis): Call {
  return fileName === undefined ? call : { ...call, agent: fileName };
}

/** What all rows are carried out with, and the fields that have to be made before. Throws VALIDATION_ERROR. */
export function preparedFor(
  call: Call,
  object: ObjectDef,
  analysis: Analysis,
  { mapping, said = [], options }: Choice,
): { readonly prepared: Prepared; readonly toMake: readonly MappingEntry[] } {
  const fields = fieldsToImport(call, object);
  const source = sourceNamed(analysis.source);
  const plans = plansOf(analysis, mapping, fields);
  const ofObject = source?.object === object.name ? source : undefined;
  const prepared = prepare(
    call,
    object,
    analysis.columns,
    plans,
    ofObject,
    options,
    guessedIn(analysis, mapping, said, plans),
  );
  return { prepared, toMake: newFieldsOf(mapping, fields) };
}

/** The fields whose columns are where they are since that was proposed, not by the field's own name, and nobody has said so. */
function guessedIn(
  { proposals }: Analysis,
  mapping: readonly MappingEntry[],
  said: readonly string[],
  plans: readonly ColumnPlan[],
): Set<string> {
  const proposed = new Map(proposals.map((proposal) => [proposal.column, proposal]));
  const asProposed = new Set(
    mapping.flatMap(({ column, field }) => {
      const proposal = proposed.get(column);
      const isGuess = proposal !== undefined && !proposal.isNamed && !said.includes(column);
      return isGuess && proposal.suggestion.field === field ? [column] : [];
    }),
  );
  return new Set(plans.flatMap(({ column, target }) => (asProposed.has(column) ? [target.field.name] : [])));
}

/** A manifest that makes the fields of these columns. */
export function manifestOf(object: ObjectDef, analysis: Analysis, toMake: readonly MappingEntry[]): JsonObject {
  const fields = toMake.map((entry): JsonObject => {
    const { new_field_name: name = '', new_field_label: label = entry.column, new_field_type: type = 'TEXT' } = entry;
    return { name, label, type, ...(hasOptions(entry) && { options: optionsOf(analysis, entry) }) };
  });
  return { objects: [{ name: object.name, fields }] };
}

/** The labels of the options that are made, by field. */
export function optionLabelsOf(analysis: Analysis, toMake: readonly MappingEntry[]): Record<string, string[]> {
  const made = toMake.filter(hasOptions);
  return Object.fromEntries(
    made.map((entry) => [entry.new_field_name ?? '', optionsOf(analysis, entry).map(({ label }) => label)]),
  );
}

function hasOptions({ new_field_type: type }: MappingEntry): boolean {
  return type === 'SELECT' || type === 'MULTI_SELECT';
}

/** The options of a new field. Labels that are equal but for case are one, as they are for a cell; a value that is taken gets a number. */
function optionsOf({ profiles }: Analysis, entry: MappingEntry): { value: string; label: string }[] {
  const given = entry.enum_options ?? profiles.find(({ column }) => column === entry.column)?.options ?? [];
  const labels = new Map<string, string>();
  for (const label of given) {
    const folded = label.trim().toLowerCase();
    if (!labels.has(folded)) labels.set(folded, label);
  }
  const taken = new Set<string>();
  return [...labels.values()].map((label) => {
    const slug = slugOf(label);
    let value = slug;
    for (let number = 2; taken.has(value); number++) value = `${slug}_${number}`;
    taken.add(value);
    return { value, label };
  });
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

/** The numbers and reasons of an outcome. */
export function outcomeOut({ created, updated, skipped, failed, warnings, problems, notes, made, fields }: Outcome) {
  return {
    created,
    updated,
    skipped,
    failed,
    warnings,
    problems,
    notes,
    records_made: made,
    new_fields: fields,
  };
}

/** An import as it is told. */
export function importOut(call: Call, stored: StoredImport) {
  const { analysis, outcome, preview, changeSet, error, createdAt, finishedAt, hasRows } = stored;
  const object = objectOf(call, stored);
  const status = stored.status;
  const isOpen = status === 'analyzed' || status === 'previewed';
  const isExpired = isOpen && (!hasRows || call.now >= createdAt + rowsKeptMs);
  return {
    import_job_id: stored.id,
    status: isExpired ? 'expired' : status,
    object_name: object.name,
    format: analysis.format,
    source: sourceNamed(analysis.source)?.name ?? null,
    rows: analysis.rows,
    done: outcome ? settledOf(outcome) : 0,
    columns: columnsOut(analysis),
    target_fields: [...fieldsToImport(call, object).values()].map(({ name, label, type, isRequired }) => ({
      name,
      label,
      type,
      required: isRequired,
    })),
    ...(preview && { preview: previewOut(preview) }),
    ...(outcome && { outcome: outcomeOut(outcome) }),
    ...(outcome && outcome.moved.length > 0 && { moved: outcome.moved }),
    ...(changeSet !== null && { change_set: changeSet }),
    error,
    created_at: new Date(createdAt).toISOString(),
    finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    expires_at: isOpen ? new Date(createdAt + rowsKeptMs).toISOString() : null,
    warnings: warningsOf(analysis, object),
  };
}

function previewOut({ hash, rows, created, updated, skipped, failed }: NonNullable<StoredImport['preview']>) {
  return { preview_hash: hash, rows_tried: rows, created, updated, skipped, failed };
}

function columnsOut({ profiles, proposals }: Analysis) {
  return profiles.map(({ column, type, filled, samples, ambiguousDates }, at) => {
    const proposal = proposals[at];
    return {
      column,
      suggestion: proposal?.suggestion,
      confidence: proposal?.confidence ?? 0,
      sample_values: samples,
      type,
      filled,
      ...(ambiguousDates && {
        questions: [{ kind: 'date_format', options: ambiguousDates, example: samples[0] ?? '' }],
      }),
      ...(proposal?.couldBe && { could_be: proposal.couldBe }),
    };
  });
}

function warningsOf({ hasHeader, above, source }: Analysis, object: ObjectDef): string[] {
  const known = sourceNamed(source);
  return [
    ...(hasHeader ? [] : ['The file has no header: its columns are called by their places']),
    ...(above > 0 && hasHeader ? [`${above} rows above the header are left out`] : []),
    ...(known && known.object !== object.name
      ? [`The file looks like one of ${known.label}, which go to ${known.object}, not to ${object.name}`]
      : []),
  ];
}
