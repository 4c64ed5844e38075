/**
 * A short text that identifies the state of a record: equal states have equal tags, whoever wrote them and when. Made
 * only of stored values that a selection shows: no labels, no computed fields, no time of change.
 */
import type { FieldDef } from '../fields/field-def.ts';
import type { Reading } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { digestOfText } from '../lib/digest.ts';
import { isObject } from '../lib/json.ts';
import { isLong, joined, together, type LongText } from '../lib/long-text.ts';
import { parseLongJson } from '../lib/long-json.ts';
import { mapInSlices, nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Row } from '../postgres/database.ts';

/** Change with every write, so they say nothing about the state. */
const stamps: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

interface Part {
  readonly offset: number;
  readonly isLinks: boolean;
}

/** The tag of a row whose readings of these fields begin at `at`: 32 hexadecimal digits, computed in slices. */
export function stateTag(
  fields: readonly FieldDef[],
  readings: readonly Reading[],
): (row: Row, at: number) => Promise<string> {
  const parts: Part[] = [];
  let offset = 0;
  for (const [index, field] of fields.entries()) {
    const { length } = readings[index]?.columns ?? [];
    // A reading begins with its stored columns; the others are derived, or of other records.
    const stored = Math.min(length, fieldType(field.type).columns(field).length);
    const isLinks = field.linkTable !== undefined;
    const count = stamps.has(field.name) ? 0 : isLinks ? length : stored;
    for (let column = 0; column < count; column++) parts.push({ offset: offset + column, isLinks });
    offset += length;
  }
  return async (row, at) => {
    const long: LongText[] = [];
    let text = '';
    for (const part of parts) {
      // No cell contains a NUL, so it separates the cells, and tells null from an empty text.
      const cell = row[at + part.offset] ?? null;
      if (cell === null) text += '\0';
      else if (part.isLinks || isLong(text)) {
        long.push(`${text}=`, part.isLinks ? await withoutDisplays(cell) : cell);
        text = '\0';
        if (sliceIsOver()) await nextSlice();
      } else text += `=${cell}\0`;
    }
    return (await digestOfText(long.length === 0 ? text : joined([...long, text]), 'hex')).slice(0, 32);
  };
}

async function withoutDisplays(links: string): Promise<LongText> {
  const list = await parseLongJson(links);
  if (!Array.isArray(list)) return links;
  const texts = await mapInSlices(list, (link) => JSON.stringify(isObject(link) ? { ...link, display: null } : link));
  return together('[', joined(texts, ','), ']');
}
