/** A program's export: how to recognise it, and where its columns go. */
import type { Json } from '../../../lib/json.ts';
import { jsonText } from '../reading/cell.ts';

/**
 * A column's target: a field, a part (`address.city`, `amount.currency`), a set with its label (`phones:mobile`), the
 * label for a set's other column (`emails.label`), a relation by the ids of the source (`company_id.hubspot_id`), or
 * `-` for an ignored column.
 */
export type Path = string;

export interface Source {
  readonly name: string;
  /** The program's common name. */
  readonly label: string;
  /** The object of its rows. */
  readonly object: string;
  /** The field for the program's record ids; the import offers to create it. */
  readonly idField?: IdField;
  /** Whether a file with these lower-case columns comes from it; `written` has them as in the file. */
  recognises(columns: ReadonlySet<string>, written: readonly string[]): boolean;
  /** A column's target; undefined for unknown columns. */
  pathOf(column: string): Path | undefined;
  /** Whether a column of ids is preferred over others of the same relation. */
  prefers?(column: string): boolean;
  /** Relations whose missing records are created. */
  readonly makes?: readonly string[];
  /** Why a row is left out; undefined for one that is imported. */
  leavesOut?(cell: (column: string) => string): string | undefined;
  /** Corrects the text of a cell for the program's peculiarities. */
  readonly clean?: (path: Path, text: string) => string;
}

/** Why the row with these cells is left out; undefined for one that is imported. */
export function leftOutBy(
  source: Source | undefined,
  columns: readonly string[],
  cells: readonly Json[],
): string | undefined {
  return source?.leavesOut?.((column) => {
    const at = columns.findIndex((name) => name.toLowerCase() === column);
    return at < 0 ? '' : jsonText(cells[at] ?? null);
  });
}

/** The field for another program's ids, on any object. */
export interface IdField {
  readonly name: string;
  readonly label: string;
}

/** Parses lines such as `first_name: First Name | Vorname | Prénom` to targets by column. */
export function columnsOf(text: string): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>();
  for (const line of text.trim().split('\n')) {
    const at = line.indexOf(' = ');
    const path = line.slice(0, at).trim();
    for (const name of line.slice(at + 3).split('|')) paths.set(name.trim().toLowerCase(), path);
  }
  return paths;
}

/** Labels that Google adds to contacts by itself, without a meaning. */
const noLabels: ReadonlySet<string> = new Set([
  '* mycontacts',
  'mycontacts',
  'my contacts',
  '* other contacts',
  '* starred',
  'starred',
  '* friends',
]);

/** An address book's labels chosen by its user, without the star before those suggested by Google. */
export function givenLabels(labels: readonly string[]): readonly string[] {
  return labels
    .map((label) => label.trim())
    .filter((label) => label !== '' && !noLabels.has(label.toLowerCase()))
    .map((label) => label.replace(/^\* /, ''));
}

/** Whether all of `wanted` are among the columns. */
export function hasAll(columns: ReadonlySet<string>, ...wanted: readonly string[]): boolean {
  return wanted.every((column) => columns.has(column));
}

/** Whether any of `wanted` is among the columns. */
export function hasSome(columns: ReadonlySet<string>, ...wanted: readonly string[]): boolean {
  return wanted.some((column) => columns.has(column));
}
