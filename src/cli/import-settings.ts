/** Converts flags about a file's columns and rows to the engine's mapping and options. */
import type { Analysis } from '../records/import/analysis.ts';
import type { DateOrder } from '../records/import/guessing/dates.ts';
import type { Choice } from '../records/import/jobs/states.ts';
import type { Related } from '../records/import/lookups.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { newFieldEntry, type Proposal } from '../records/import/mapping/propose.ts';
import { fieldOfIds } from '../records/import/mapping/source-ids.ts';

export interface ImportOptions {
  readonly org?: string;
  readonly object: string;
  readonly file: string;
  readonly format?: 'csv' | 'json' | 'vcard';
  readonly map: ReadonlyMap<string, string>;
  /** Columns to make fields of, with name and type, such as `tier:SELECT`; '' derives them from the column. */
  readonly newField?: ReadonlyMap<string, string>;
  readonly newFields?: boolean;
  readonly keepIds?: boolean;
  readonly addOptions?: boolean;
  readonly match?: readonly string[];
  readonly onMatch?: 'update' | 'skip' | 'create';
  readonly createMissing?: boolean;
  readonly dateFormat?: DateOrder;
  readonly badCells?: 'fail' | 'empty';
  readonly dryRun?: boolean;
  readonly errorsOut?: string;
  readonly yes?: boolean;
  readonly allowErrors?: boolean;
}

/** The mapping of the named columns, and the options for rows. */
export interface ImportSettings {
  readonly analysis: Analysis;
  readonly given: readonly MappingEntry[];
  readonly options: Choice['options'];
}

/** The settings of the flags for this file. Throws VALIDATION_ERROR. */
export function settingsOf(options: ImportOptions, analysis: Analysis, related: Related): ImportSettings {
  const { onMatch = 'update', dateFormat, createMissing, addOptions, badCells = 'fail' } = options;
  const proposed = new Map(analysis.proposals.map((proposal) => [proposal.column, proposal]));
  const chosen = entriesOf(options, analysis, proposed);
  if (dateFormat) {
    for (const { column, ambiguousDates } of analysis.profiles) {
      const entry = chosen.get(column) ?? proposed.get(column)?.suggestion;
      if (ambiguousDates && entry) chosen.set(column, { ...entry, date_format: dateFormat });
    }
  }
  const entries = analysis.proposals.map(({ column, suggestion }) => chosen.get(column) ?? suggestion);
  const ids = options.onMatch === 'create' ? undefined : fieldOfIds(analysis.source, options.object, entries, related);
  const match = options.match ?? (ids === undefined ? [] : [ids]);
  const choice: Choice['options'] = {
    bad_cells: badCells,
    ...(createMissing && { create_missing: true }),
    ...(addOptions && { add_options: true }),
    ...(match.length > 0 && { duplicate_strategy: onMatch, duplicate_fields: match }),
  };
  return { analysis, given: [...chosen.values()], options: choice };
}

function entriesOf(
  { map, newField = new Map<string, string>(), newFields = false, keepIds = false }: ImportOptions,
  { format, profiles }: Analysis,
  proposed: ReadonlyMap<string, Proposal>,
): Map<string, MappingEntry> {
  const chosen = new Map<string, MappingEntry>();
  for (const { column, couldBe } of proposed.values())
    if (couldBe && (newFields || (keepIds && couldBe.new_field_unique))) chosen.set(column, couldBe);
  const known = new Map(profiles.map((profile) => [profile.column, profile]));
  for (const [column, wanted] of newField) {
    const profile = known.get(column);
    const [name = '', type = ''] = wanted.split(':');
    const usual = proposed.get(column)?.couldBe ?? (profile && newFieldEntry(profile));
    if (usual === undefined && format !== 'csv') continue;
    chosen.set(column, {
      ...(usual ?? { column, action: 'new_field' }),
      ...(name !== '' && { new_field_name: name }),
      ...(type !== '' && { new_field_type: type.toUpperCase() }),
    });
  }
  for (const [column, field] of map) {
    // JSON lines may contain the column later.
    if (format !== 'csv' && !proposed.has(column)) continue;
    chosen.set(column, field === '' ? { column, action: 'ignore' } : { column, action: 'map', field });
  }
  return chosen;
}
