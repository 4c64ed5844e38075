/**
 * Converts between images, the values in history (PostgreSQL's JSON of a column, with times as records show them),
 * and cells. A field's type may have changed since; what its columns cannot hold is shown as stored.
 */
import { formatTextArray } from '../../fields/array-literal.ts';
import { instantText } from '../../fields/types/datetime.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Column, Member } from '../../fields/field-type.ts';
import { isDay } from '../../fields/local-time.ts';
import { fieldType } from '../../fields/registry.ts';
import { isUuid } from '../../lib/id.ts';
import { Digits, type Json } from '../../lib/json.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql, type Sql } from '../../postgres/sql.ts';

const number = /^-?\d{1,200}(?:\.\d{1,200})?$/;
const wholeNumber = /^-?\d{1,18}$/;
/** Older entries have `+00:00`. */
const instant = /^(\d{4,}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00:00)$/;

/**
 * The image of a field's value in `row`, as jsonb. A time has the text that it gets when its field becomes a text
 * field.
 */
export function imageOf(columns: readonly Column[], row: Sql): Sql {
  const values = columns.map(({ name, type }) => {
    const value = sql`${row}.${identifier(name)}`;
    return type === 'timestamptz' ? sql`(${instantText(value)})` : value;
  });
  return values.length === 1 ? sql`to_jsonb(${values[0] ?? sql`null`})` : sql`jsonb_build_array(${join(values, ', ')})`;
}

/** The cells of a field's columns, or undefined where they cannot hold the image. */
export function cellsOf(image: Json, field: FieldDef): readonly Cell[] | undefined {
  const columns = fieldType(field.type).columns(field);
  const values = columns.length === 1 ? [image] : image;
  if (!Array.isArray(values) || values.length !== columns.length) return undefined;
  const cells = columns.map((column, at) => cellOf(values[at] ?? null, column.type));
  return cells.every((cell) => cell !== undefined) ? cells : undefined;
}

/** An image as JSON text in the form of a read. `member` belongs to the field's reading. */
export function imageJson(image: Json, field: FieldDef, member: Member): string {
  const cells = cellsOf(image, field);
  return cells ? member.json(cells, 0) : JSON.stringify(image);
}

/** Whether the image stands for no value. */
export function isNothing(image: Json): boolean {
  return image === null || (Array.isArray(image) && image.every((item) => item === null));
}

/** A value as a cell of a column of this type, or undefined where the type cannot hold it. */
export function cellOf(value: Json, type: string): Cell | undefined {
  if (value === null) return null;
  if (type === 'jsonb') return typeof value === 'object' ? JSON.stringify(value) : undefined;
  if (type.startsWith('text[]')) return isTexts(value) ? formatTextArray(value) : undefined;
  const text = plainText(value);
  return text === undefined ? undefined : fitting(text, type.replace(/ collate .*$/, ''));
}

function isTexts(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function plainText(value: Json): string | undefined {
  if (value instanceof Digits) return value.source;
  return typeof value === 'object' ? undefined : String(value);
}

/** The text as a cell of a type with a single plain value. */
function fitting(text: string, type: string): Cell | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'numeric':
      return number.test(text) ? text : undefined;
    case 'bigint':
      return wholeNumber.test(text) ? text : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text.slice(0, 1) : undefined;
    case 'date':
      return isDay(text) ? text : undefined;
    case 'uuid':
      return isUuid(text) ? text : undefined;
    case 'timestamptz': {
      const [, day, time] = instant.exec(text) ?? [];
      return day === undefined ? undefined : `${day} ${time}+00`;
    }
    default:
      return undefined;
  }
}
