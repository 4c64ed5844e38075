/**
 * What a record holds, as a short text: equal for equal states, whoever wrote them and when. Made of the stored values that
 * a selection shows anyway, and of nothing else: no display, nothing computed, no time of a change.
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

/** These tell that something was written, not what. */
const stamps: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

interface Part {
  readonly offset: number;
  readonly isLinks: boolean;
}

/** The tag of a row in which the readings of these fields begin at `at`: 32 hexadecimal digits, made in slices. */
export function stateTag(
  fields: readonly FieldDef[],
  readings: readonly Reading[],
): (row: Row, at: number) => Promise<string> {
  const parts: Part[] = [];
  let offset = 0;
  for (const [index, field] of fields.entries()) {
    const { length } = readings[index]?.columns ?? [];
    // A reading begins with the columns that are stored; what follows is made of them, or of other records.
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
      // No cell has a NUL: texts that stand one after the other stay apart, and apart from none.
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
