/** What is known of a program's export: how to tell it, and where its columns go. */
import type { Json } from '../../../lib/json.ts';
import { jsonText } from '../reading/cell.ts';

/**
 * A column's place: a field, a part (`address.city`, `amount.currency`), a set with its label (`phones:mobile`), the label of the set's
 * column beside it (`emails.label`), a relation by the ids of the source (`company_id.hubspot_id`), or `-` for a column that is left out.
 */
export type Path = string;

export interface Source {
  readonly name: string;
  /** As people call the program. */
  readonly label: string;
  /** The object that its rows are records of. */
  readonly object: string;
  /** The field that keeps the ids which the program gives to its records; the import offers to make it. */
  readonly idField?: IdField;
  /** Whether a file with these columns, in small letters, comes from it; `written` are the same as the file has them. */
  recognises(columns: ReadonlySet<string>, written: readonly string[]): boolean;
  /** Where a column goes; undefined where the source says nothing of it. */
  pathOf(column: string): Path | undefined;
  /** Whether a column of ids goes before another one of the same relation. */
  prefers?(column: string): boolean;
  /** Relations of which a record is made where none is there. */
  readonly makes?: readonly string[];
  /** Why a row is left out; undefined for one that comes in. */
  leavesOut?(cell: (column: string) => string): string | undefined;
  /** The text of a cell as the program means it. */
  readonly clean?: (path: Path, text: string) => string;
}

/** Why the row with these cells is left out; undefined for one that comes in. */
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

/** What is kept of another program's ids, on whichever object. */
export interface IdField {
  readonly name: string;
  readonly label: string;
}

/** Paths by column, from lines such as `first_name: First Name | Vorname | Prénom`. */
export function columnsOf(text: string): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>();
  for (const line of text.trim().split('\n')) {
    const at = line.indexOf(' = ');
    const path = line.slice(0, at).trim();
    for (const name of line.slice(at + 3).split('|')) paths.set(name.trim().toLowerCase(), path);
  }
  return paths;
}

/** Labels that Google puts on contacts by itself, and that say nothing. */
const noLabels: ReadonlySet<string> = new Set([
  '* mycontacts',
  'mycontacts',
  'my contacts',
  '* other contacts',
  '* starred',
  'starred',
  '* friends',
]);

/** Those of an address book's labels that somebody has given, without the star before those that Google has suggested. */
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

/** Whether some of `wanted` are. */
export function hasSome(columns: ReadonlySet<string>, ...wanted: readonly string[]): boolean {
  return wanted.some((column) => columns.has(column));
}
