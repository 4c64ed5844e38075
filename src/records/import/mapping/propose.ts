/** Proposes a target for each column of a file, with its confidence. */
import { quoted } from '../../../errors.ts';
import type { FieldDef, FieldTypeName } from '../../../fields/field-def.ts';
import type { ObjectDef } from '../../../model/model.ts';
import type { ColumnProfile } from '../guessing/profile.ts';
import { targetsOf } from '../labels.ts';
import type { Related } from '../lookups.ts';
import { lookOf } from '../reading/looks-like.ts';
import type { Path, Source } from '../sources/source.ts';
import { sourceOf } from '../sources/sources.ts';
import { isSet, placeOf, targetOf, type MappingEntry } from './entry.ts';
import { idEntry, linksAmong } from './source-ids.ts';
import { compact, meaningOf } from './vocabulary.ts';

export interface Proposal {
  readonly column: string;
  readonly suggestion: MappingEntry;
  /** From 0 to 1: how often such a proposal is right. */
  readonly confidence: number;
  /** Set if the column has the field's own name. */
  readonly isNamed?: true;
  /** The field that could be created for an unmapped column. */
  readonly couldBe?: MappingEntry;
  /** The field by which a column's ids would be looked up, if it existed. */
  readonly wouldNeed?: { readonly object: string; readonly field: string };
}

interface Candidate {
  readonly path: string;
  readonly confidence: number;
  readonly isNamed?: true;
}

/** The measured accuracy of each kind of proposal (`test/records/import-confidence.test.ts`), rounded down. */
const sureness = {
  source: 0.98,
  exact: 0.98,
  alike: 0.96,
  known: 0.92,
  loose: 0.75,
  values: 0.6,
  empty: 0.9,
  leftOut: 0.95,
  nothing: 0.5,
} as const;

/** Below this, a column stays unmapped. */
const least = 0.4;

/** Proposals for all columns: each field is used once, except by columns that a source or a set combines. */
export function propose(
  object: ObjectDef,
  fields: ReadonlyMap<string, FieldDef>,
  profiles: readonly ColumnProfile[],
  source: Source | undefined,
  related: Related,
): Proposal[] {
  const names = namesOf(fields);
  const own = sourceOf(source?.name, object.name);
  const links = linksAmong(profiles, fields, own, related);
  const found = profiles.map((profile) => ({
    profile,
    candidate: candidateOf(object, fields, profile, links.paths, own, names),
  }));
  const taken = new Set<string>();
  const paths = new Map<string, Candidate>();
  for (const { profile, candidate } of found.toSorted(
    (a, b) => (b.candidate?.confidence ?? 0) - (a.candidate?.confidence ?? 0),
  )) {
    if (!candidate || candidate.confidence < least || candidate.path === '-') continue;
    const target = placeOf(candidate.path, fields)?.target;
    if (
      !target ||
      (taken.has(candidate.path) && !isSet(target.field) && source?.pathOf(profile.column) !== candidate.path)
    )
      continue;
    taken.add(candidate.path);
    paths.set(profile.column, candidate);
  }
  // Skip full_name when first and last name are mapped.
  const hasNames = taken.has('first_name') && taken.has('last_name');
  return found.map(({ profile, candidate }) => {
    const path = paths.get(profile.column);
    if (path && !(path.path === 'full_name' && hasNames)) return proposalOf(profile, path, fields, source);
    const isLeftOut = candidate?.path === '-' || path?.path === 'full_name';
    const id = idEntry(object, fields, profile, own);
    const wouldNeed = links.needs.get(profile.column);
    return {
      ...ignored(profile, isLeftOut, fields),
      ...(id && { couldBe: id }),
      ...(wouldNeed && { wouldNeed }),
    };
  });
}

function proposalOf(
  profile: ColumnProfile,
  { path, confidence, isNamed }: Candidate,
  fields: ReadonlyMap<string, FieldDef>,
  source: Source | undefined,
): Proposal {
  const { column } = profile;
  const target = targetOf(path, fields);
  const isDate = target?.field.type === 'DATE' || target?.field.type === 'DATETIME';
  const formats = {
    ...(isDate && profile.dateOrder && { date_format: profile.dateOrder }),
    ...(target && isNumeric(target.field) && profile.decimal === 'comma' && { number_format: profile.decimal }),
  };
  const [object] = target ? targetsOf(target.field) : [];
  const makes = source?.makes?.includes(path) && object !== undefined ? { create_missing: true } : {};
  return {
    column,
    suggestion: { column, action: 'map', field: path, ...makes, ...formats },
    confidence: Number(confidence.toFixed(2)),
    ...(isNamed && { isNamed }),
  };
}

function ignored(profile: ColumnProfile, isLeftOut: boolean, fields: ReadonlyMap<string, FieldDef>): Proposal {
  const { column } = profile;
  const confidence = isLeftOut ? sureness.leftOut : profile.filled === 0 ? sureness.empty : sureness.nothing;
  const couldBe = isLeftOut || profile.filled === 0 ? undefined : newFieldOf(profile, fields);
  return { column, suggestion: { column, action: 'ignore' }, confidence, ...(couldBe && { couldBe }) };
}

function newFieldOf(profile: ColumnProfile, fields: ReadonlyMap<string, FieldDef>): MappingEntry | undefined {
  const entry = newFieldEntry(profile);
  const { new_field_name: name = '' } = entry;
  return name === '' || fields.has(name) ? undefined : entry;
}

/** The entry that creates a field for the column with its name; a column without letters yields no name. */
export function newFieldEntry({ column, type, options }: ColumnProfile): MappingEntry {
  const words = column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 60);
  return {
    column,
    action: 'new_field',
    new_field_name: words,
    new_field_label: column,
    new_field_type: type,
    ...(options && { enum_options: options }),
  };
}

/** A sentence for each column of ids that nothing stores. */
export function unlinked(proposals: readonly Proposal[]): string[] {
  return proposals.flatMap(({ column, wouldNeed }) =>
    wouldNeed
      ? [
          `${quoted(column)} has ids of ${wouldNeed.object}, which have no ${wouldNeed.field}: import their file first, and keep their ids`,
        ]
      : [],
  );
}

type Names = ReadonlyMap<string, { readonly field: string; readonly confidence: number }>;

/** The names of fields in the form of `compact`, most certain first. */
function namesOf(fields: ReadonlyMap<string, FieldDef>): Names {
  const names = new Map<string, { field: string; confidence: number }>();
  const add = (text: string, field: string, confidence: number) => {
    if (text !== '' && !names.has(text)) names.set(text, { field, confidence });
  };
  for (const { name } of fields.values()) add(compact(name), name, sureness.exact);
  for (const { name, label } of fields.values()) add(compact(label), name, sureness.alike);
  for (const { name } of fields.values()) {
    // `emails` is also `email`, `company_id` also `company` and `company name`.
    const relation = name.endsWith('_id') ? compact(name.slice(0, -3)) : undefined;
    const others = relation === undefined ? [compact(name.replace(/s$/, ''))] : [relation, `${relation}name`];
    for (const other of others) add(other, name, sureness.known);
  }
  return names;
}

function candidateOf(
  object: ObjectDef,
  fields: ReadonlyMap<string, FieldDef>,
  profile: ColumnProfile,
  links: ReadonlyMap<string, Path>,
  source: Source | undefined,
  names: Names,
): Candidate | undefined {
  const fromSource = links.get(profile.column) ?? source?.pathOf(profile.column);
  const isId = fromSource !== undefined && fromSource === source?.idField?.name;
  // Ids are ignored until a field for them exists.
  if (isId && !targetOf(fromSource, fields)) return { path: '-', confidence: sureness.source };
  if (fromSource !== undefined && (fromSource === '-' || placeOf(fromSource, fields)))
    return { path: fromSource, confidence: sureness.source };
  // A repeated column name has a number appended.
  const column = profile.column.replace(/ \(\d+\)$/, '');
  const named = names.get(compact(column));
  const meaning = meaningOf(object.kind === 'builtIn' ? object.name : '', column);
  const candidates: Candidate[] = [];
  if (named) candidates.push({ path: named.field, confidence: named.confidence, isNamed: true });
  if (meaning && targetOf(meaning.path, fields))
    candidates.push({ path: meaning.path, confidence: meaning.isSure ? sureness.known : sureness.loose });
  const byValues = candidates.length === 0 ? pathOfValues(profile, fields) : undefined;
  if (byValues) candidates.push({ path: byValues, confidence: sureness.values });
  const [best] = candidates.toSorted((a, b) => b.confidence - a.confidence);
  return best && { ...best, confidence: best.confidence * agreement(best.path, profile, fields) };
}

/** The target of a column with a meaningless name whose values have only one interpretation. */
function pathOfValues({ type, samples }: ColumnProfile, fields: ReadonlyMap<string, FieldDef>): string | undefined {
  const ofType = (wanted: FieldTypeName) => [...fields.values()].find((field) => field.type === wanted)?.name;
  if (type === 'EMAIL') return ofType('EMAILS') ?? ofType('EMAIL');
  if (samples.length > 0 && samples.every((sample) => sample.includes('linkedin.com/')))
    return fields.get('linkedin_url')?.name;
  if (samples.length > 1 && samples.every((sample) => /^\+\d/.test(sample) && lookOf(sample) !== 'text'))
    return ofType('PHONES');
  return undefined;
}

/** How well the values fit the field, from 0 to 1. */
function agreement(path: string, profile: ColumnProfile, fields: ReadonlyMap<string, FieldDef>): number {
  const target = targetOf(path, fields);
  if (!target || profile.filled === 0 || target.part !== undefined) return 1;
  const { type } = target.field;
  const isNumber = profile.decimal !== undefined;
  const isDate = profile.dateOrder !== undefined || profile.ambiguousDates !== undefined;
  const fits = (() => {
    if (type === 'DATE' || type === 'DATETIME') return isDate;
    if (isNumeric(target.field)) return isNumber;
    if (type === 'EMAILS' || type === 'EMAIL') return profile.samples.some((sample) => sample.includes('@'));
    if (type === 'PHONES') return profile.samples.some((sample) => /\d{3}/.test(sample));
    if (type === 'URL') return profile.type === 'URL' || profile.samples.some((sample) => sample.includes('.'));
    if (type === 'TEXT' || type === 'LONG_TEXT') return profile.type !== 'EMAIL' && !(isDate && !isNumber);
    return true;
  })();
  return fits ? 1 : 0.5;
}

/** Whether its values are numbers. */
export function isNumeric({ type }: FieldDef): boolean {
  return ['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'CURRENCY', 'RATING'].includes(type);
}
