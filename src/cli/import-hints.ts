/** Hints at the flags by which an import would have brought in more rows, or changed records instead of making others. */
import { soMany } from '../lib/so-many.ts';
import type { ObjectDef } from '../model/model.ts';
import { targetsOf } from '../records/import/labels.ts';
import type { Choice } from '../records/import/jobs/states.ts';
import type { MappingEntry } from '../records/import/mapping/entry.ts';
import { sourceNamed } from '../records/import/sources/sources.ts';
import type { ImportOptions } from './import-settings.ts';
import type { Totals } from './import-totals.ts';

/** Only the first rows of a file are compared with what is there: that costs more than the rows themselves. */
const mostWatched = 1_000;

/** Has rows counted that have the address of a record which is there already, unless rows are matched; `until` is how many rows are read by then. */
export function watching(
  options: ImportOptions,
  object: ObjectDef,
  mapping: readonly MappingEntry[],
  until: number,
): Choice['options'] {
  if (until > mostWatched) return {};
  const field = watchedField(options, object, mapping);
  return field === undefined ? {} : { duplicate_fields: [field] };
}

function watchedField(
  { match, onMatch }: ImportOptions,
  { fields }: ObjectDef,
  mapping: readonly MappingEntry[],
): string | undefined {
  if ((match?.length ?? 0) > 0 || onMatch !== undefined) return undefined;
  const going = new Set(mapping.map(({ field = '' }) => field.split(/[.:]/)[0]));
  return fields.find(({ name, type, isUnique }) => type === 'EMAILS' && !isUnique && going.has(name))?.name;
}

/** A line for each such flag. */
export function linesOfHints(
  options: ImportOptions,
  object: ObjectDef,
  source: string | undefined,
  mapping: readonly MappingEntry[],
  { outcome, isMatched, read }: Totals,
): string[] {
  const watched = watchedField(options, object, mapping);
  const { existing } = outcome.duplicates;
  const known = soMany(existing, 'row has', 'rows have');
  return [
    ...(options.createMissing ? [] : linesOfMissingRecords(object, source, mapping, outcome)),
    ...(watched !== undefined && !isMatched && existing > 0
      ? [
          `${read > mostWatched ? 'At least ' : ''}${known} an address that is there already: --match ${watched} changes those records`,
        ]
      : []),
  ];
}

/** Relations by which records would be made. Those with ids of another program are left out: their records come with a file of their own. */
function linesOfMissingRecords(
  { fields }: ObjectDef,
  source: string | undefined,
  mapping: readonly MappingEntry[],
  { problems, notes }: Totals['outcome'],
): string[] {
  const told = new Set([...problems, ...notes].map(({ message }) => message));
  const idField = sourceNamed(source)?.idField?.name;
  return fields.flatMap((field) => {
    const [target, ...others] = targetsOf(field);
    if (target === undefined || target === 'user' || others.length > 0) return [];
    if (!told.has(`${field.name} names no record`)) return [];
    if (mapping.some((entry) => idField !== undefined && entry.field === `${field.name}.${idField}`)) return [];
    return [`${field.name} names ${target} that are not there: --create-missing makes them`];
  });
}
