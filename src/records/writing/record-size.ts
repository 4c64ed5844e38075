/** Limits the size of a record, which is read, written and sent as a whole while others wait. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import { maxLinks } from '../../fields/types/many-to-many.ts';
import { fieldType } from '../../fields/registry.ts';
import { inSlices } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import { junctionColumns, storedColumns, type StoredColumn } from './columns.ts';

/** Bytes of all texts: the longest RICH_TEXT with its plain text, at two bytes per letter. */
const mostBytes = 8_000_000;

/** Links with their junction values: about 16 MB as JSON. */
export const mostLinkParts = 200_000;

/** Characters of a value that an update may set without measuring the record, which costs work per column. */
export const unmeasured = 1_000;

/** The cells that a write sets. */
interface CellsOnly {
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
}

type Links = ReadonlyMap<FieldDef, readonly Link[]>;

/** Throws VALIDATION_ERROR where a new record has more text or links than allowed. */
export async function refuseHugeRecord(object: ObjectDef, given: CellsOnly & { links: Links }): Promise<void> {
  let parts = 0;
  for (const [field, links] of given.links) parts += links.length * partsOf(field);
  if (parts > mostLinkParts) throw tooManyLinks(object);
  await refuseHugeTexts(object, given);
}

/** Throws VALIDATION_ERROR where the given texts, including those of links, exceed the limit. */
export async function refuseHugeTexts(
  object: ObjectDef,
  { cells, links }: CellsOnly & { links: Links },
): Promise<void> {
  let bytes = 0;
  const add = (given: readonly Cell[]) => {
    for (const cell of given) bytes += cell === null ? 0 : Buffer.byteLength(cell);
  };
  for (const given of cells.values()) add(given);
  for (const given of links.values()) await inSlices(given, ({ junction }) => add(junction));
  if (bytes > mostBytes) throw hugeRecord(object);
}

/** The number of links that a record will have, by field. */
export interface LinkCounts {
  readonly id: string;
  readonly counts: ReadonlyMap<FieldDef, number>;
}

/** Throws VALIDATION_ERROR where a locked record would have more links than allowed, and more than it has. */
export async function refuseMoreLinks(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly LinkCounts[],
): Promise<void> {
  const fields = [...object.attributes.values()].filter((field) => field.linkTable !== undefined);
  if (records.length === 0 || fields.reduce((sum, field) => sum + maxLinks * partsOf(field), 0) <= mostLinkParts)
    return;
  const counts = fields.map(
    ({ linkTable = '' }) => sql`(select count(*) from ${call.workspace.table(linkTable)} l where l.source_id = g.id)`,
  );
  const ids = records.map(({ id }) => id);
  const { rows } = await tx.run(sql`select ${join([sql`g.id`, ...counts], ', ')} from unnest(${ids}::uuid[]) g (id)`);
  const stored = new Map(rows.map(([id, ...found]) => [id ?? '', found.map(Number)]));
  for (const { id, counts: wanted } of records) {
    let [before, after] = [0, 0];
    for (const [at, field] of fields.entries()) {
      const own = stored.get(id)?.[at] ?? 0;
      before += own * partsOf(field);
      after += (wanted.get(field) ?? own) * partsOf(field);
    }
    if (after > mostLinkParts && after > before) throw tooManyLinks(object);
  }
}

/** A link's share of `mostLinkParts`. */
export function partsOf(field: FieldDef): number {
  return 1 + junctionColumns(field).length;
}

/** VALIDATION_ERROR for a record with too many links. */
export function tooManyLinks({ name }: ObjectDef): KithError {
  const most = mostLinkParts.toLocaleString('en');
  return errors.validation(`A record of ${name} takes at most ${most} links in all, with the values that they have`);
}

/**
 * Whether the row `will` is within the limit, or no larger than `was`; undefined when no given value is long enough
 * to matter.
 */
export function sizeCondition(object: ObjectDef, rows: readonly CellsOnly[], was: Sql, will: Sql): Sql | undefined {
  const columns = measuredColumns(object);
  const isLong = ({ cells }: CellsOnly) =>
    columns.some(({ field, at }) => (cells.get(field)?.[at]?.length ?? 0) > unmeasured);
  if (!rows.some(isLong)) return undefined;
  const size = (row: Sql) => {
    const sizes = columns.map(({ name, type }) => {
      const value = sql`${row}.${identifier(name)}`;
      // PostgreSQL knows the length of a text without reading it.
      return sql`coalesce(octet_length(${isPlainText(type) ? value : sql`${value}::text`}), 0)::bigint`;
    });
    return sql`(${join(sizes, ' + ')})`;
  };
  return sql`${size(will)} <= greatest(${mostBytes}::bigint, ${size(was)})`;
}

const remembered = new WeakMap<ObjectDef, readonly StoredColumn[]>();

/** The columns that can make a record large; none where all together cannot exceed the limit. */
function measuredColumns(object: ObjectDef): readonly StoredColumn[] {
  let columns = remembered.get(object);
  if (!columns) {
    columns = storedColumns(object).filter((column) => mostBytesOf(column) > 0);
    if (columns.reduce((sum, column) => sum + mostBytesOf(column), 0) <= mostBytes) columns = [];
    remembered.set(object, columns);
  }
  return columns;
}

function isPlainText(type: string): boolean {
  return type.startsWith('text collate');
}

/** Upper estimate of a column's bytes; 0 for short types. */
function mostBytesOf({ field, type }: StoredColumn): number {
  if (isPlainText(type)) return fieldType(field.type).isLong ? 4_000_000 : 40_000;
  if (type === 'jsonb') return 200_000;
  if (!type.startsWith('text[]')) return 0;
  return (field.options ?? []).reduce((sum, { value }) => sum + 4 * value.length + 3, 0);
}

/** VALIDATION_ERROR for a record with too many bytes of text. */
export function hugeRecord({ name }: ObjectDef): KithError {
  return errors.validation(`A record of ${name} takes at most ${mostBytes.toLocaleString('en')} bytes of text in all`);
}
