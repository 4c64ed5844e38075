/** Shared by the operations on imports: the object, the effective mapping, and the output. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { hasRecords, objectWithId, type ObjectDef } from '../../model/model.ts';
import type { Analysis } from '../../records/import/analysis.ts';
import { prepare, type Prepared } from '../../records/import/executing/carry-out.ts';
import type { FieldsToCome } from '../../records/import/executing/fields-to-come.ts';
import { settledOf } from '../../records/import/jobs/outcomes.ts';
import { nothingYet, type Choice, type Outcome } from '../../records/import/jobs/states.ts';
import { rowsKeptMs, type StoredImport } from '../../records/import/jobs/table.ts';
import { effectiveMapping, newFieldsOf, plansOf } from '../../records/import/mapping/effective.ts';
import { unlinked } from '../../records/import/mapping/propose.ts';
import { placeOf, type ColumnPlan, type MappingEntry } from '../../records/import/mapping/entry.ts';
import { missingOptions, type MissingOptions } from '../../records/import/mapping/missing-options.ts';
import { fieldOfIds } from '../../records/import/mapping/source-ids.ts';
import { relatedTo } from '../../records/import/lookups.ts';
import { unreadWarnings } from '../../records/import/reasons.ts';
import { sourceNamed, sourceOf } from '../../records/import/sources/sources.ts';
import { objectNamed } from '../../records/reading/named.ts';
import { writable } from '../../records/writing/decode.ts';
import { soMany } from '../../lib/so-many.ts';

/** The object, into which the caller may import. Throws INVALID_OBJECT, PERMISSION_DENIED. */
export function importObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name, hasRecords);
  if (!call.visibility.mayCreate(object.name)) throw errors.permissionDenied(`Your role may not create ${object.name}`);
  return object;
}

/** The current object of a stored import. Throws CONFLICT if it is gone. */
export function objectOf(call: Call, { objectId }: Pick<StoredImport, 'objectId'>): ObjectDef {
  const object = objectWithId(call.model, objectId);
  if (!object || !hasRecords(object)) throw errors.conflict('The object of this import is not there any more');
  return importObject(call, object.name);
}

/** The fields that an import can set. */
export function fieldsToImport(call: Call, object: ObjectDef): ReadonlyMap<string, FieldDef> {
  return writable(object, call.visibility);
}

/** The request with its effective mapping. Throws VALIDATION_ERROR. */
export function choiceOf(
  call: Call,
  object: ObjectDef,
  { analysis, choice }: StoredImport,
  given: { readonly mapping?: readonly MappingEntry[]; readonly import_options?: Choice['options'] },
): Choice {
  const fields = fieldsToImport(call, object);
  const options = given.import_options ?? choice?.options ?? {};
  // The mapping of the last preview applies unless the request has one.
  if (given.mapping === undefined && choice) return { mapping: choice.mapping, said: choice.said ?? [], options };
  return { ...mappingOf(analysis, given.mapping ?? [], fields), options };
}

/** The effective mapping, and which columns of it the user specified. Throws VALIDATION_ERROR. */
export function mappingOf(
  analysis: Analysis,
  given: readonly MappingEntry[],
  fields: ReadonlyMap<string, FieldDef>,
): Pick<Choice, 'mapping' | 'said'> {
  return { mapping: effectiveMapping(analysis, given, fields), said: given.map(({ column }) => column.trim()) };
}

/** The call with the file name as its agent, which history shows. */
export function callOfFile(call: Call, { fileName }: Analysis): Call {
  return fileName === undefined ? call : { ...call, agent: fileName };
}

export interface ReadyImport {
  /** The settings that all rows share. */
  readonly prepared: Prepared;
  /** The columns whose fields have to be created. */
  readonly toMake: readonly MappingEntry[];
  /** The options that fields lack, whether they are to be added or not. */
  readonly missing: readonly MissingOptions[];
}

/**
 * Prepares the import without looking at rows. With `toCome` it assumes that the fields and options to create exist. Throws
 * VALIDATION_ERROR.
 */
export function preparedFor(
  call: Call,
  object: ObjectDef,
  analysis: Analysis,
  { mapping, said = [], options }: Choice,
  toCome?: FieldsToCome,
): ReadyImport {
  const fields = fieldsToImport(call, toCome?.object ?? object);
  const source = sourceOf(analysis.source, object.name);
  const plans = plansOf(analysis, mapping, fields);
  const toMake = newFieldsOf(mapping, fields, plans);
  const missing = missingOptions(analysis, plans, source, options.add_options);
  const guessed = guessedIn(analysis, mapping, said, plans);
  const prepared = prepare(call, object, analysis.columns, plans, { source, options, guessed, toMake, toCome });
  return { prepared, toMake, missing };
}

/** Fields mapped by a guess that neither the field's name nor the user confirms. */
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

/** The counts and reasons of an outcome. */
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

/** Records the outcome of an import in the audit. */
export function auditImport(
  call: Call,
  tx: WorkspaceTransaction,
  stored: StoredImport,
  { status, outcome }: { readonly status: string; readonly outcome?: Outcome | null },
): void {
  const { created, updated, skipped, failed } = outcome ?? nothingYet;
  const { id, analysis } = stored;
  const counts = status !== 'queued' && { created, updated, skipped, failed };
  call.audit(tx, 'import', { object: objectOf(call, stored).name, import: id, status, rows: analysis.rows, ...counts });
}

/** An import in answers. */
export function importOut(call: Call, stored: StoredImport) {
  const { analysis, outcome, preview, changeSet, error, createdAt, finishedAt, hasRows } = stored;
  const object = objectOf(call, stored);
  const status = stored.status;
  const suggested = suggestedOptions(call, object, analysis);
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
    columns: columnsOut(call, object, analysis),
    target_fields: [...fieldsToImport(call, object).values()].map(({ name, label, type, isRequired }) => ({
      name,
      label,
      type,
      required: isRequired,
    })),
    ...(suggested && { suggested_options: suggested }),
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

/** The options that a column's field lacks. */
export function missingOut({ column, field, options, adds }: MissingOptions) {
  return { column, field: field.name, options, adds };
}

/** The options that the proposed fields lack; a field may be gone since. */
function missingAsProposed(call: Call, object: ObjectDef, analysis: Analysis): ReadonlyMap<string, MissingOptions> {
  const fields = fieldsToImport(call, object);
  const plans = analysis.proposals.flatMap(({ column, suggestion }): ColumnPlan[] => {
    const place = placeOf(suggestion.field ?? '', fields);
    return place ? [{ column, ...place }] : [];
  });
  const missing = missingOptions(analysis, plans, sourceOf(analysis.source, object.name));
  return new Map(missing.map((one) => [one.column, one]));
}

/** Suggests matching records by the source's ids if a column holds them. */
function suggestedOptions(call: Call, object: ObjectDef, analysis: Analysis): Choice['options'] | undefined {
  const suggested = analysis.proposals.map(({ suggestion }) => suggestion);
  const name = fieldOfIds(analysis.source, object.name, suggested, relatedTo(call));
  return name === undefined ? undefined : { duplicate_strategy: 'update', duplicate_fields: [name] };
}

function columnsOut(call: Call, object: ObjectDef, analysis: Analysis) {
  const missing = missingAsProposed(call, object, analysis);
  return analysis.profiles.map(({ column, type, filled, samples, ambiguousDates }, at) => {
    const proposal = analysis.proposals[at];
    const lacks = missing.get(column);
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
      ...(lacks && { missing_options: lacks.options }),
    };
  });
}

function warningsOf({ hasHeader, above, unread, source, proposals }: Analysis, object: ObjectDef): string[] {
  const known = sourceNamed(source);
  return [
    ...(hasHeader ? [] : ['The file has no header: its columns are called by their places']),
    ...(above > 0 && hasHeader
      ? [`${soMany(above, 'row above the header is', 'rows above the header are')} left out`]
      : []),
    ...(known && known.object !== object.name
      ? [`The file looks like one of ${known.label}, which go to ${known.object}, not to ${object.name}`]
      : []),
    ...unreadWarnings(unread),
    ...unlinked(proposals),
  ];
}
