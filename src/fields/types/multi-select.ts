/** MULTI_SELECT: some of the field's options, without repetition, stored by value as text[]; null when empty. */
import { aggregates } from '../aggregates.ts';
import { jsonString, type Json } from '../../lib/json.ts';
import { formatTextArray, parseTextArray } from '../array-literal.ts';
import { joinValues, listInCell } from '../cell-text.ts';
import type { Option } from '../field-def.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { optionSchema } from '../json-schema.ts';
import { reading } from '../members.ts';
import { columnOf } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { optionIn, optionNamed } from '../option-named.ts';

const maxValues = 10_000;

export const multiSelect: FieldType = {
  names: ['MULTI_SELECT'],
  takesOptions: true,
  columns: (field) => [{ name: field.name, type: 'text[] collate "C"' }],
  read: (field, scope) =>
    reading(columnOf(scope, field.name), {
      key: field.name,
      mostBytes: (field.options ?? []).reduce((sum, { value }) => sum + 4 * value.length + 3, 100),
      json: (row, at) => `[${valuesOf(row[at]).map(jsonString).join(',')}]`,
      cell: (row, at) => joinValues(valuesOf(row[at])),
    }),
  schema(field) {
    const values = { type: 'array', items: optionSchema(field.options) } as const;
    return { read: { [field.name]: values }, write: values };
  },
  operand: (field, scope) => ({ kind: 'options', value: columnOf(scope, field.name), options: field.options ?? [] }),
  operators: operatorsOf('options'),
  aggregates: aggregates.distinct,
  decode(value, field) {
    if (value === null) return [null];
    const options = field.options ?? [];
    const known = options.map((option) => option.value);
    if (!Array.isArray(value)) throw misfit('a list of options', value, known);
    if (value.length > maxValues) throw new FieldProblem(`must have at most ${maxValues.toLocaleString('en')} options`);
    const values = value.map((item) => {
      if (typeof item !== 'string') throw misfit('a list of texts', item, known);
      return optionNamed(item, options).value;
    });
    return [values.length === 0 ? null : formatTextArray([...new Set(values)])];
  },
  fromCell(text, { options }) {
    const items = listInCell(text);
    return Array.isArray(items) ? items.flatMap((item) => partsOf(item, options ?? [])) : items;
  },
};

/** Other programs join options with commas: split where a part is an option and the whole is not. */
function partsOf(item: Json, options: readonly Option[]): Json[] {
  if (typeof item !== 'string' || !item.includes(',') || optionIn(item, options)) return [item];
  const parts = item.split(',').map((part) => part.trim());
  return parts.some((part) => optionIn(part, options)) ? parts.filter((part) => part !== '') : [item];
}

function valuesOf(cell: string | null | undefined): readonly string[] {
  return cell === null || cell === undefined ? [] : parseTextArray(cell).filter((item) => item !== null);
}
