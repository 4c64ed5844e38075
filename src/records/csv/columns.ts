/** Which field a column of a file means: by name, else by its label, else by what other programs call it. */
import { errors, quoted } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { ObjectDef } from '../../model/model.ts';

export interface ColumnMapping {
  /** The field of each column, by position; null where the column is ignored. */
  readonly fields: readonly (string | null)[];
  /** The columns that are ignored, as the file calls them. */
  readonly ignored: readonly string[];
}

/** No program makes more; to find out which field each of them means takes time. */
const mostColumns = 2_000;

/** What is wrong with a row of so many columns, as the end of a sentence about it; undefined for what is taken. */
export function tooManyColumns(count: number): string | undefined {
  if (count <= mostColumns) return undefined;
  return `has ${count.toLocaleString('en')} columns, and at most ${mostColumns.toLocaleString('en')} are taken`;
}

/** What exports of other programs call a field, as `compact` writes it. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  emails: ['mail', 'emailaddress'],
  phones: ['phonenumber', 'telephone'],
  job_title: ['position'],
  linkedin_url: ['linkedin'],
  domain: ['website'],
};

/** The fields of an object that a file can set, by name. Columns go first: `Pipeline` is what `pipeline_id` is called. */
export function importableFields(object: ObjectDef): ReadonlyMap<string, FieldDef> {
  const fields = [...object.attributes.values(), ...object.fields].filter(
    (field) => !field.isReadonly && field.type !== 'ID',
  );
  return new Map(fields.map((field) => [field.name, field]));
}

/**
 * Maps `headers` to `fields`, which are those that a write may set. `chosen` names the field of a header, or '' to ignore it,
 * and wins. Each field is taken by one column, the first that means it. Throws VALIDATION_ERROR for a choice that can't be.
 */
export function mapColumns(
  headers: readonly string[],
  fields: ReadonlyMap<string, FieldDef>,
  chosen: ReadonlyMap<string, string>,
): ColumnMapping {
  const names = headers.map((header) => header.trim());
  const mapping = new Array<string | null>(headers.length).fill(null);
  const open = new Set(names.keys().filter((at) => names[at] !== ''));
  const taken = new Set<string>();
  const take = (at: number, field: string) => {
    mapping[at] = field;
    open.delete(at);
    taken.add(field);
  };

  for (const [header, field] of chosen) {
    const at = columnNamed(header, names);
    checkChoice(header, field, fields, taken);
    if (field === '') open.delete(at);
    else take(at, field);
  }
  for (const known of rounds(fields.values())) {
    for (const at of [...open]) {
      const field = known(names[at] ?? '');
      if (field !== undefined && !taken.has(field)) take(at, field);
    }
  }
  return {
    fields: mapping,
    ignored: names.flatMap((name, at) => (mapping[at] === null ? [describe(name, at, names)] : [])),
  };
}

/** Which of `rows` is the header: the first that has the `chosen` columns and names a field; 0 when none does. */
export function findHeader(
  rows: readonly (readonly string[])[],
  fields: ReadonlyMap<string, FieldDef>,
  chosen: ReadonlyMap<string, string>,
): number {
  const known = rounds(fields.values());
  const names = (headers: readonly string[]) =>
    headers.some((header) => known.some((round) => round(header.trim()) !== undefined));
  const has = (headers: readonly string[]) =>
    [...chosen.keys()].every((wanted) => headers.some((header) => header.trim() === wanted));
  return Math.max(
    0,
    rows.findIndex((headers) => has(headers) && (chosen.size > 0 || names(headers))),
  );
}

/** Ways to know a field by a header, the surest first. */
function rounds(fields: Iterable<FieldDef>): ((header: string) => string | undefined)[] {
  const exact = new Map<string, string>();
  const alike = new Map<string, string>();
  const aliases = new Map<string, string>();
  for (const { name, label } of fields) {
    exact.set(name, name);
    for (const text of [name, label]) keepFirst(alike, compact(text), name);
    for (const alias of [...shortNames(name), ...(otherNames[name] ?? [])]) keepFirst(aliases, alias, name);
  }
  return [
    (header) => exact.get(header),
    (header) => alike.get(compact(header)),
    (header) => aliases.get(compact(header)),
  ];
}

/** `emails` is also `email`, `company_id` also `company` and `company name`. */
function shortNames(name: string): string[] {
  const relation = name.endsWith('_id') ? compact(name.slice(0, -3)) : undefined;
  if (relation !== undefined) return [relation, `${relation}name`];
  return name.endsWith('s') ? [compact(name.slice(0, -1))] : [];
}

function keepFirst(map: Map<string, string>, key: string, value: string): void {
  if (key !== '' && !map.has(key)) map.set(key, value);
}

/** Without case, accents, spaces and punctuation. */
function compact(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function columnNamed(header: string, names: readonly string[]): number {
  const at = names.indexOf(header.trim());
  if (at >= 0) return at;
  throw errors.validation(`The file has no column ${quoted(header)}${didYouMean(header, names)}`, undefined, [
    ...names,
  ]);
}

function checkChoice(
  header: string,
  field: string,
  fields: ReadonlyMap<string, FieldDef>,
  taken: ReadonlySet<string>,
): void {
  if (field === '') return;
  if (!fields.has(field)) {
    const hint = didYouMean(field, fields.keys());
    throw errors.validation(
      `Column ${quoted(header)} cannot go to ${quoted(field)}, which no import can set${hint}`,
      undefined,
      [...fields.keys()],
    );
  }
  if (taken.has(field)) throw errors.validation(`Two columns are mapped to ${field}`);
}

function describe(name: string, at: number, names: readonly string[]): string {
  if (name === '') return `column ${at + 1}`;
  return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (column ${at + 1})`;
}
