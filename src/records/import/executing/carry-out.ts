/** Writes the rows of a file as its columns are mapped; used by the route, the job, the command and the tool. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import { errors } from '../../../errors.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { ObjectDef } from '../../../model/model.ts';
import { unknownField } from '../../../query/attributes.ts';
import { writingOf } from '../../writing/decode.ts';
import type { DuplicateStrategy, Handling } from '../handling.ts';
import { importRows, type RowWarning } from '../import-rows.ts';
import { fieldToMatch, settledLookup, canMatchRecords, whatMatches } from '../lookups.ts';
import type { ColumnPlan, Lookup, MappingEntry } from '../mapping/entry.ts';
import { RowMaker } from '../mapping/row-maker.ts';
import type { TableRow } from '../reading/table.ts';
import type { ImportedRow } from '../rows.ts';
import type { Source } from '../sources/source.ts';
import type { FieldsToCome } from './fields-to-come.ts';

/** [spec: crm_import_records] `bad_cells`, `create_missing` and `add_options` are additive. */
export interface ImportOptions {
  readonly duplicate_strategy?: DuplicateStrategy;
  readonly duplicate_fields?: readonly string[];
  readonly default_values?: JsonObject;
  readonly create_missing?: boolean;
  readonly add_options?: boolean;
  readonly bad_cells?: 'fail' | 'empty';
}

/** What is shared by all rows of a file. */
export interface Prepared {
  readonly object: ObjectDef;
  readonly maker: RowMaker;
  readonly handling: Handling;
}

/** A row that failed; `isDuplicate` where another record has a value of a unique field. */
export interface FailedRow {
  readonly index: number;
  readonly reason: string;
  readonly isDuplicate: boolean;
}

/** A row that was left out or skipped; `isThere` where its record exists already. */
export interface SkippedRow {
  readonly index: number;
  readonly reason: string;
  readonly isThere: boolean;
}

/** The results of rows; indexes are those of the file. */
export interface PartOutcome {
  readonly created: readonly ImportedRow[];
  readonly updated: readonly ImportedRow[];
  readonly skipped: readonly SkippedRow[];
  readonly failed: readonly FailedRow[];
  /** Read-only columns that were ignored. */
  readonly ignored: readonly string[];
  /** Rows whose `owner` is unknown here. */
  readonly unknownOwners: number;
  readonly warnings: readonly RowWarning[];
  /** Rows whose records exist already, and which create another one. */
  readonly doubled: number;
  /** Records created for names in cells, by object. */
  readonly made: ReadonlyMap<string, number>;
  /** The sent values of the first rows by index, without those that no field accepted. */
  readonly values: ReadonlyMap<number, JsonObject>;
}

/** How rows are imported, besides the mapping. */
export interface Taking {
  readonly source: Source | undefined;
  readonly options: ImportOptions;
  /** As in `Handling`. */
  readonly guessed: ReadonlySet<string>;
  /** The columns whose fields are yet to be created: no record can be matched by them. */
  readonly toMake: readonly MappingEntry[];
  /** Fields that are tried before they are created. */
  readonly toCome: FieldsToCome | undefined;
}

/** Validates and resolves the options. Throws VALIDATION_ERROR, MISSING_REQUIRED_FIELD, INVALID_FIELD. */
export function prepare(
  call: Call,
  object: ObjectDef,
  columns: readonly string[],
  plans: readonly ColumnPlan[],
  { source, options, guessed, toMake, toCome }: Taking,
): Prepared {
  const {
    duplicate_strategy: strategy = 'create',
    duplicate_fields: names = [],
    default_values: defaults = {},
  } = options;
  if (strategy !== 'create' && names.length === 0)
    throw errors.missingField('duplicate_fields', `${strategy} has to know by which fields a row is a record already`);
  const lookups = new Map<string, Lookup>();
  for (const { target, lookup } of plans) {
    if (!lookup) continue;
    const settled = settledLookup(call, lookup);
    // No record is created from a foreign id; its own file brings it.
    const mayMake = settled.target !== 'user' && (settled.by === undefined || settled.by !== source?.idField?.name);
    const makesMissing = settled.makesMissing || (options.create_missing === true && mayMake);
    lookups.set(target.field.name, { ...settled, makesMissing });
  }
  refuseUnknown(call, toCome?.object ?? object, Object.keys(defaults), toMake);
  const steps = call.model.pipelines.filter(({ objectName }) => objectName === object.name).flatMap((one) => one.steps);
  return {
    object,
    maker: new RowMaker(object, columns, plans, source, defaults, steps),
    handling: {
      badCells: options.bad_cells ?? 'empty',
      guessed,
      lookups,
      strategy,
      matchFields: [...new Set(names)]
        .filter((name) => !isToMake(name, toMake))
        .map((name) => fieldToMatch(call, toCome?.object ?? object, name)),
      ...(toCome && { toCome }),
    },
  };
}

/** Throws INVALID_FIELD for a default of a field that imports cannot set. */
function refuseUnknown(call: Call, object: ObjectDef, names: readonly string[], toMake: readonly MappingEntry[]): void {
  const { fields, names: known } = writingOf(call, object);
  const isMade = (name: string) => toMake.some(({ new_field_name: made }) => made === name);
  const unknown = names.find((name) => !fields.has(name) && !isMade(name));
  if (unknown !== undefined)
    throw unknownField(unknown, object, known, 'default_values are of fields that an import can set');
}

/** Whether the field is yet to be created. Throws VALIDATION_ERROR where no record could be matched by it. */
function isToMake(name: string, toMake: readonly MappingEntry[]): boolean {
  const entry = toMake.find(({ new_field_name: made }) => made === name);
  const { new_field_type: type = 'TEXT' } = entry ?? {};
  if (entry && !canMatchRecords(type))
    throw errors.validation(`Records cannot be matched by ${name}, a new field of type ${type}: ${whatMatches}`);
  return entry !== undefined;
}

const mostValuesKept = 10;

/** Writes the rows, which begin at the file's row `first`. */
export async function carryOut(
  call: Call,
  tx: WorkspaceTransaction,
  { object, maker, handling }: Prepared,
  rows: readonly TableRow[],
  first: number,
): Promise<PartOutcome> {
  const skipped: SkippedRow[] = [];
  const failed: FailedRow[] = [];
  const sent: { readonly index: number; readonly values: JsonObject }[] = [];
  for (const [at, row] of rows.entries()) {
    const index = first + at;
    const made = 'problem' in row ? row : maker.make(row.cells);
    if ('values' in made) sent.push({ index, values: made.values });
    else if ('leftOut' in made) skipped.push({ index, reason: made.leftOut, isThere: false });
    else failed.push({ index, reason: made.problem, isDuplicate: false });
  }
  const records: Json[] = sent.map(({ values }) => values);
  const outcome = await importRows(call, tx, object, records, 'import', handling);
  const placed = <Row extends { readonly index: number }>(list: readonly Row[]) =>
    list.map((row) => ({ ...row, index: sent[row.index]?.index ?? row.index }));
  for (const { index, id } of placed(outcome.skipped))
    skipped.push({ index, reason: `it is there already: ${id}`, isThere: true });
  for (const { index, message, code } of placed(outcome.failures))
    failed.push({ index, reason: message, isDuplicate: code === 'DUPLICATE_RECORD' });
  const inOrder = (a: { readonly index: number }, b: { readonly index: number }) => a.index - b.index;
  return {
    created: placed(outcome.created),
    updated: placed(outcome.updated),
    skipped: skipped.toSorted(inOrder),
    failed: failed.toSorted(inOrder),
    warnings: placed(outcome.warnings),
    doubled: outcome.doubled,
    made: outcome.made,
    ignored: outcome.ignored,
    unknownOwners: outcome.unknownOwners,
    values: valuesKept(sent.slice(0, mostValuesKept), placed(outcome.warnings)),
  };
}

function valuesKept(
  sent: readonly { readonly index: number; readonly values: JsonObject }[],
  warnings: readonly RowWarning[],
): ReadonlyMap<number, JsonObject> {
  const kept = new Map(sent.map(({ index, values }) => [index, { ...values }]));
  for (const { index, field, kept: good } of warnings) {
    const values = kept.get(index);
    if (!values) continue;
    if (good === undefined) delete values[field];
    else values[field] = good;
  }
  return kept;
}
