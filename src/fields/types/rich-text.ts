/**
 * RICH_TEXT: HTML, sanitized when written, with its plain text in a second column for filters, sorts and searches.
 * Emptiness is that of the text: `<p><br></p>` is empty, though not null.
 */
import { aggregates } from '../aggregates.ts';
import type { Cell } from '../../postgres/database.ts';
import type { Json } from '../../lib/json.ts';
import type { FieldDef } from '../field-def.ts';
import { isEmptyValue } from '../empty-value.ts';
import { FieldProblem } from '../field-problem.ts';
import type { Asker, FieldType } from '../field-type.ts';
import { cleanHtml, type CleanHtml } from '../html.ts';
import { cleanAside } from '../html-aside.ts';
import { valueSchema } from '../json-schema.ts';
import { longTextReading } from '../members.ts';
import { columnOf, textOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { decodeText, longTextSearch, trimmed } from './text.ts';

const maxHtml = 2_000_000;
/** At worst, where every character is a tag, this many take five milliseconds. */
const quickHtml = 8_000;

export const richText: FieldType = {
  names: ['RICH_TEXT'],
  columns: (field) => [
    { name: field.name, type: 'text collate "C"' },
    { name: textColumnOf(field.name), type: 'text collate "C"' },
  ],
  read: (field, scope) => longTextReading(columnOf(scope, field.name), field.name),
  schema: (field) =>
    valueSchema(field.name, { type: 'string', contentMediaType: 'text/html', examples: ['<p>About <b>Acme</b></p>'] }),
  operand: (field, scope) => textOperand(columnOf(scope, textColumnOf(field.name))),
  operators: operatorsOf('text'),
  aggregates: aggregates.ofItsValue,
  isLong: true,
  isHtml: true,
  decode(value, field) {
    if (value === null) return [null, null];
    const known = value === field.defaultValue ? cleanDefaults.get(field) : undefined;
    const clean = known ?? cleanHtml(decodeText(value, maxHtml));
    if (value === field.defaultValue) cleanDefaults.set(field, clean);
    return cellsOf(clean, field);
  },
  decodeAside(value, field, asker) {
    if (typeof value !== 'string' || value.length <= quickHtml) return undefined;
    return decodeAside(value, field, asker);
  },
  fromCell: trimmed,
  searchText: ([, text]) => longTextSearch(text ?? ''),
};

/** New records share the cleaned default. */
const cleanDefaults = new WeakMap<FieldDef, CleanHtml>();

async function decodeAside(value: Json, field: FieldDef, asker: Asker): Promise<readonly Cell[]> {
  return cellsOf(await cleanAside(decodeText(value, maxHtml), asker), field);
}

function cellsOf({ html, text }: CleanHtml, field: FieldDef): readonly Cell[] {
  if (field.isRequired && isEmptyValue(text)) throw new FieldProblem('is required');
  return [html, text];
}

/** The column with a field's plain text. */
export function textColumnOf(name: string): string {
  return `${name}__text`;
}
