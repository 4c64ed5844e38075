/** The labels in the cells of a column whose field has options. */
import type { FieldDef } from '../../../fields/field-def.ts';
import { FieldProblem } from '../../../fields/field-problem.ts';
import { fieldType } from '../../../fields/registry.ts';
import { labelProblem } from '../../../lib/label.ts';

/** Characters of a possible label. */
const longestLabel = 100;

/** The parts of a field that decide how its cells are read. */
type Reading = Pick<FieldDef, 'type' | 'options'>;

/** The texts in a cell of such a field; empty for an invalid cell. */
export function textsIn(cell: string, field: Reading): string[] {
  try {
    const value = fieldType(field.type).fromCell(cell.trim(), field as FieldDef);
    const texts = Array.isArray(value) ? value : [value];
    return [...new Set(texts.filter((text) => typeof text === 'string').filter((text) => text !== ''))];
  } catch (error) {
    if (error instanceof FieldProblem) return [];
    throw error;
  }
}

/** The texts that can be labels of options. */
export function labelsIn(cell: string, field: Reading): string[] {
  return textsIn(cell, field).filter((text) => text.length <= longestLabel && labelProblem(text) === undefined);
}
