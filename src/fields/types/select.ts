/** SELECT: one of the field's options, stored by its value. */
import { aggregates } from '../aggregates.ts';
import { misfit } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { optionSchema, valueSchema } from '../json-schema.ts';
import { reading, textMember } from '../members.ts';
import { columnOf, textOrder } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { optionNamed } from '../option-named.ts';
import { trimmed } from './text.ts';

export const select: FieldType = {
  names: ['SELECT'],
  mayBeUnique: true,
  takesOptions: true,
  columns: (field) => [{ name: field.name, type: 'text collate "C"' }],
  read: (field, scope) => reading(columnOf(scope, field.name), textMember(field.name)),
  schema: (field) => valueSchema(field.name, optionSchema(field.options)),
  operand(field, scope) {
    const value = columnOf(scope, field.name);
    return {
      kind: 'option',
      value,
      options: field.options ?? [],
      sort: { value: textOrder(value), type: 'text', nullable: true },
    };
  },
  operators: operatorsOf('option'),
  aggregates: aggregates.distinct,
  decode(value, field) {
    if (value === null) return [null];
    const options = field.options ?? [];
    if (typeof value !== 'string') {
      throw misfit(
        'the value of an option',
        value,
        options.map((option) => option.value),
      );
    }
    return [optionNamed(value, options).value];
  },
  fromCell: trimmed,
};
