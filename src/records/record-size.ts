/** How large a record may be: it is read, written and sent as a whole, and everybody else waits meanwhile. */
import { errors, type KithError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { Link } from '../fields/field-type.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Cell } from '../postgres/database.ts';
import { identifier, join, sql, type Sql } from '../postgres/sql.ts';
import { storedColumns } from './columns.ts';

/** Of all its texts. The longest RICH_TEXT with its plain text, each letter two bytes, is as long. */
const mostBytes = 8_000_000;
/** As long as every text may be; records whose texts are no longer are small enough, whatever else they have. */
const usualText = 10_000;

/** The cells that a write sets. */
interface Given {
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
}

interface GivenWithLinks extends Given {
  readonly links: ReadonlyMap<FieldDef, readonly Link[]>;
}

/** Throws VALIDATION_ERROR where what is given, with what is said of links, is more than a record may have. */
export function refuseHugeRecord(object: ObjectDef, { cells, links }: GivenWithLinks): void {
  let bytes = 0;
  const add = (given: readonly Cell[]) => {
    for (const cell of given) bytes += cell === null ? 0 : Buffer.byteLength(cell);
  };
  for (const given of cells.values()) add(given);
  for (const given of links.values()) for (const { junction } of given) add(junction);
  if (bytes > mostBytes) throw hugeRecord(object);
}

/** Whether `row`, an image of a record that is given these cells, is not too large; undefined where they are small. */
export function sizeCondition(object: ObjectDef, { cells }: Given, row: Sql): Sql | undefined {
  const isLong = [...cells.values()].some((given) => given.some((cell) => (cell?.length ?? 0) > usualText));
  if (!isLong) return undefined;
  const texts = storedColumns(object).filter(({ type }) => type.startsWith('text collate'));
  if (texts.length === 0) return undefined;
  const sizes = texts.map(({ name }) => sql`coalesce(octet_length(${row}.${identifier(name)}), 0)::bigint`);
  return sql`${join(sizes, ' + ')} <= ${mostBytes}::bigint`;
}

export function hugeRecord({ name }: ObjectDef): KithError {
  return errors.validation(`A record of ${name} takes at most ${mostBytes.toLocaleString('en')} bytes of text in all`);
}
