/** What the cells of a column name, where its field takes some of its options. */
import type { FieldDef } from '../../../fields/field-def.ts';
import { FieldProblem } from '../../../fields/field-problem.ts';
import { fieldType } from '../../../fields/registry.ts';
import { labelProblem } from '../../../lib/label.ts';

/** Characters of a cell that may be the label of an option. */
const longestLabel = 100;

/** The texts that a field of that type reads in a cell; none in a cell that it cannot read. */
export function textsIn(cell: string, type: FieldDef['type']): string[] {
  try {
    // Which options the field has says nothing of how its cells are read.
    const value = fieldType(type).fromCell(cell.trim(), { type } as FieldDef);
    const texts = Array.isArray(value) ? value : [value];
    return [...new Set(texts.filter((text) => typeof text === 'string').filter((text) => text !== ''))];
  } catch (error) {
    if (error instanceof FieldProblem) return [];
    throw error;
  }
}

/** Those of them that can be the label of an option. */
export function labelsIn(cell: string, type: FieldDef['type']): string[] {
  return textsIn(cell, type).filter((text) => text.length <= longestLabel && labelProblem(text) === undefined);
}
