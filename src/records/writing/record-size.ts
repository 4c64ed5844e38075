/** How large a record may be: it is read, written and sent as a whole, and everybody else waits meanwhile. */
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

/** Of all its texts. The longest RICH_TEXT with its plain text, each letter two bytes, is as long. */
const mostBytes = 8_000_000;

/** Links, and the values of their own fields: as JSON, some 16 MB. */
export const mostLinkParts = 200_000;

/** Characters of a value that an update may always set: to measure a record is work for each of its columns. */
export const unmeasured = 1_000;

/** The cells that a write sets. */
interface Given {
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
}

type Links = ReadonlyMap<FieldDef, readonly Link[]>;

/** Throws VALIDATION_ERROR where a new record is given more text, or more links, than it may have. */
export async function refuseHugeRecord(object: ObjectDef, given: Given & { links: Links }): Promise<void> {
  let parts = 0;
  for (const [field, links] of given.links) parts += links.length * partsOf(field);
  if (parts > mostLinkParts) throw tooManyLinks(object);
  await refuseHugeTexts(object, given);
}

/** Throws VALIDATION_ERROR where the texts that are given, those of links too, are more than a record may have. */
export async function refuseHugeTexts(object: ObjectDef, { cells, links }: Given & { links: Links }): Promise<void> {
  let bytes = 0;
  const add = (given: readonly Cell[]) => {
    for (const cell of given) bytes += cell === null ? 0 : Buffer.byteLength(cell);
  };
  for (const given of cells.values()) add(given);
  for (const given of links.values()) await inSlices(given, ({ junction }) => add(junction));
  if (bytes > mostBytes) throw hugeRecord(object);
}

/** How many links a record is to have of each field that is here. */
export interface LinkCounts {
  readonly id: string;
  readonly counts: ReadonlyMap<FieldDef, number>;
}

/** Throws VALIDATION_ERROR where one of the records, which are locked, would have more links than it may, and more than it has. */
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

/** What a link of the field counts for. */
export function partsOf(field: FieldDef): number {
  return 1 + junctionColumns(field).length;
}

/** VALIDATION_ERROR for a record that would have more links than it may. */
export function tooManyLinks({ name }: ObjectDef): KithError {
  const most = mostLinkParts.toLocaleString('en');
  return errors.validation(`A record of ${name} takes at most ${most} links in all, with the values that they have`);
}

/**
 * Whether the row `will` of a record that is given cells of `rows` is not too large, nor larger than `was`; undefined where it
 * cannot be, or where nothing that is given is worth the question.
 */
export function sizeCondition(object: ObjectDef, rows: readonly Given[], was: Sql, will: Sql): Sql | undefined {
  const columns = measuredColumns(object);
  const isLong = ({ cells }: Given) =>
    columns.some(({ field, at }) => (cells.get(field)?.[at]?.length ?? 0) > unmeasured);
  if (!rows.some(isLong)) return undefined;
  const size = (row: Sql) => {
    const sizes = columns.map(({ name, type }) => {
      const value = sql`${row}.${identifier(name)}`;
      // Of a text, PostgreSQL knows it without reading it.
      return sql`coalesce(octet_length(${isPlainText(type) ? value : sql`${value}::text`}), 0)::bigint`;
    });
    return sql`(${join(sizes, ' + ')})`;
  };
  return sql`${size(will)} <= greatest(${mostBytes}::bigint, ${size(was)})`;
}

const remembered = new WeakMap<ObjectDef, readonly StoredColumn[]>();

/** The columns that make a record of the object large; none where they all together cannot. */
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

/** Bytes that a column may come to hold, about: rather more than that. None for what is short whatever it says. */
function mostBytesOf({ field, type }: StoredColumn): number {
  if (isPlainText(type)) return fieldType(field.type).isLong ? 4_000_000 : 40_000;
  if (type === 'jsonb') return 200_000;
  if (!type.startsWith('text[]')) return 0;
  return (field.options ?? []).reduce((sum, { value }) => sum + 4 * value.length + 3, 0);
}

/** VALIDATION_ERROR for a record that would be larger than one may be, in bytes of text. */
export function hugeRecord({ name }: ObjectDef): KithError {
  return errors.validation(`A record of ${name} takes at most ${mostBytes.toLocaleString('en')} bytes of text in all`);
}
