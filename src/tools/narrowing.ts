/** Selects the requested members of an answer's rows, so that agents read no more than they need. */
import type { TSchema } from 'typebox';
import { errors } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';

/** Members that identify a row stay. */
const kept: ReadonlySet<string> = new Set(['id', 'kind']);

/** Where an answer has rows. */
export interface RowPlace {
  /** Paths of lists, or of a single row, such as `data` or `results.records`. */
  readonly paths: readonly string[];
  /** The member by which `fields` selects rows instead of members. */
  readonly by?: string;
  /** What `fields` selects from, for error messages. */
  readonly of: string;
}

/** Narrows `answer` in place; `declared` is its schema. Throws INVALID_FIELD for an unknown name. */
export function narrow(answer: JsonObject, place: RowPlace, names: readonly string[], declared: TSchema): JsonObject {
  const wanted = new Set(names);
  const known = new Set<string>();
  for (const path of place.paths) {
    const [parts, last = ''] = [path.split('.').slice(0, -1), path.split('.').at(-1)];
    for (const name of declaredNames(declared, path)) if (place.by === undefined) known.add(name);
    for (const holder of holdersOf(answer, parts)) {
      const rows = holder[last];
      for (const row of [rows].flat()) for (const name of namesOf(row, place)) known.add(name);
      if (Array.isArray(rows)) holder[last] = place.by ? picked(rows, place.by, wanted) : rows.map(membersOf(wanted));
      else if (isObject(rows)) holder[last] = membersOf(wanted)(rows);
    }
  }
  const unknown = names.find((name) => known.size > 0 && !known.has(name));
  if (unknown === undefined) return answer;
  const available = [...known].filter((name) => !kept.has(name));
  throw errors.invalidField(unknown, place.of, available, didYouMean(unknown, available));
}

/** The objects that may have the last part of a path; lists on the way stand for all of their items. */
function holdersOf(answer: JsonObject, parts: readonly string[]): JsonObject[] {
  let holders = [answer];
  for (const part of parts) holders = holders.flatMap((holder) => [holder[part] ?? null].flat().filter(isObject));
  return holders;
}

function namesOf(row: Json | undefined, { by }: RowPlace): string[] {
  if (!isObject(row)) return [];
  if (by === undefined) return Object.keys(row);
  return typeof row[by] === 'string' ? [row[by]] : [];
}

const picked = (rows: readonly Json[], by: string, wanted: ReadonlySet<string>) =>
  rows.filter((row) => isObject(row) && typeof row[by] === 'string' && wanted.has(row[by]));

const membersOf = (wanted: ReadonlySet<string>) => (row: Json) =>
  isObject(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => isWanted(name, wanted))) : row;

/** Whether the member is requested, or the label of one that is. */
function isWanted(name: string, wanted: ReadonlySet<string>): boolean {
  return kept.has(name) || wanted.has(name) || (name.endsWith('_display') && wanted.has(name.slice(0, -8)));
}

interface Declared {
  readonly properties?: Readonly<Record<string, Declared>>;
  readonly items?: Declared;
}

function declaredNames(output: Declared, path: string): string[] {
  let at: Declared | undefined = output;
  for (const part of path.split('.')) {
    at = at?.properties?.[part];
    at = at?.items ?? at;
  }
  return Object.keys(at?.properties ?? {});
}
