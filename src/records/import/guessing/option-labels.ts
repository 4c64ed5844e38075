/** What the cells of a column name, where its field takes some of its options. */
import type { FieldDef } from '../../../fields/field-def.ts';
import { FieldProblem } from '../../../fields/field-problem.ts';
import { fieldType } from '../../../fields/registry.ts';
import { labelProblem } from '../../../lib/label.ts';

/** Characters of a cell that may be the label of an option. */
const longestLabel = 100;

/** What says how the cells of a field are read. */
type Reading = Pick<FieldDef, 'type' | 'options'>;

/** The texts that such a field reads in a cell; none in a cell that it cannot read. */
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

/** Those of them that can be the label of an option. */
export function labelsIn(cell: string, field: Reading): string[] {
  return textsIn(cell, field).filter((text) => text.length <= longestLabel && labelProblem(text) === undefined);
}
